export const coreSchemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;

export const maxPageSize = 200;

interface AttributeOptions {
  required?: boolean;
  multiValued?: boolean;
  mutability?: 'readWrite' | 'readOnly';
  caseExact?: boolean;
  uniqueness?: 'none' | 'server';
  subAttributes?: readonly Attribute[];
}

type Attribute = ReturnType<typeof describeAttribute>;

const describeAttribute = (
  name: string,
  type: 'string' | 'boolean' | 'complex' | 'reference',
  {
    required = false,
    multiValued = false,
    mutability = 'readWrite',
    caseExact = false,
    uniqueness = 'none',
    ...rest
  }: AttributeOptions = {},
): object => ({
  name,
  type,
  multiValued,
  required,
  caseExact,
  mutability,
  returned: 'default',
  uniqueness,
  description: name,
  ...rest,
});

const text = (name: string, options: AttributeOptions = {}) => describeAttribute(name, 'string', options);

const userAttributes = [
  text('userName', { required: true, uniqueness: 'server' }),
  text('externalId', { caseExact: true }),
  describeAttribute('name', 'complex', { subAttributes: [text('formatted'), text('givenName'), text('familyName')] }),
  text('displayName'),
  describeAttribute('active', 'boolean'),
  describeAttribute('emails', 'complex', {
    multiValued: true,
    subAttributes: [text('value'), text('type'), describeAttribute('primary', 'boolean')],
  }),
  describeAttribute('groups', 'complex', {
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      text('value', { mutability: 'readOnly' }),
      text('display', { mutability: 'readOnly' }),
      describeAttribute('$ref', 'reference', { mutability: 'readOnly' }),
    ],
  }),
];

const groupAttributes = [
  text('displayName', { required: true, uniqueness: 'server' }),
  text('externalId', { caseExact: true }),
  describeAttribute('members', 'complex', {
    multiValued: true,
    subAttributes: [
      text('value'),
      text('display', { mutability: 'readOnly' }),
      describeAttribute('$ref', 'reference', { mutability: 'readOnly' }),
    ],
  }),
];

/** `base`: the address of `/scim/v2`. Google builds its mapping from the schemas. */
export const describeSchemas = (base: string) => [
  describeSchema(base, coreSchemas.user, 'User', userAttributes),
  describeSchema(base, coreSchemas.group, 'Group', groupAttributes),
];

const describeSchema = (base: string, id: string, name: string, attributes: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  description: name,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
});

export const describeResourceTypes = (base: string) => [
  describeResourceType(base, 'User', '/Users', coreSchemas.user),
  describeResourceType(base, 'Group', '/Groups', coreSchemas.group),
];

const describeResourceType = (base: string, name: string, endpoint: string, schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint,
  description: name,
  schema,
  schemaExtensions: [],
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

const unsupported = { supported: false };

export const describeService = (base: string, documentationUri: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri,
  patch: { supported: true },
  bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maxPageSize },
  changePassword: unsupported,
  sort: unsupported,
  etag: unsupported,
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer token', description: 'A provisioning token of the panel.', primary: true },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});
