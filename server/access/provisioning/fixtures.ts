// Bodies in the shapes that the providers send (docs/identity.md names what was not tried with a real tenant).

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

interface Person {
  email: string;
  externalId: string;
  givenName?: string;
  familyName?: string;
}

const patch = (...operations: object[]) => ({ schemas: [patchSchema], Operations: operations });

export const okta = {
  newUser: ({ email, externalId, givenName = 'Ada', familyName = 'Byron' }: Person) => ({
    schemas: [userSchema],
    userName: email,
    name: { givenName, familyName },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: `${givenName} ${familyName}`,
    locale: 'en-US',
    externalId,
    groups: [],
    password: '1mz050nq',
    active: true,
  }),
  setActive: (active: boolean) => patch({ op: 'replace', value: { active } }),
  newGroup: (displayName: string) => ({ schemas: [groupSchema], displayName, members: [] }),
  renameGroup: (id: string, displayName: string) => patch({ op: 'replace', value: { id, displayName } }),
  addMember: (id: string, display: string) => patch({ op: 'add', path: 'members', value: [{ value: id, display }] }),
  replaceMembers: (ids: readonly string[]) =>
    patch({ op: 'replace', path: 'members', value: ids.map((value) => ({ value, display: value })) }),
  removeMember: (id: string) => patch({ op: 'remove', path: `members[value eq "${id}"]` }),
};

export const entra = {
  newUser: ({ email, externalId, givenName = 'Ada', familyName = 'Byron' }: Person) => ({
    schemas: [userSchema, enterpriseSchema],
    externalId,
    userName: email,
    active: true,
    addresses: [{ primary: false, type: 'work', country: 'NL', formatted: null }],
    displayName: `${givenName} ${familyName}`,
    emails: [{ primary: true, type: 'work', value: email }],
    meta: { resourceType: 'User' },
    name: { formatted: `${givenName} ${familyName}`, familyName, givenName },
    phoneNumbers: [{ primary: true, type: 'work', value: '+31 20 000 0000' }],
    title: 'Analyst',
    preferredLanguage: 'en-US',
    [enterpriseSchema]: { employeeNumber: '7', department: 'Risk', manager: { value: 'not-synced' } },
  }),
  /** Without the flag aadOptscim062020. */
  setActiveText: (active: 'True' | 'False') => patch({ op: 'Replace', path: 'active', value: active }),
  setActivePathless: (active: boolean) => patch({ op: 'Replace', value: { active } }),
  setActiveInSchema: (active: string) => patch({ op: 'replace', path: `${userSchema}:active`, value: active }),
  changeNames: (displayName: string, familyName: string) =>
    patch(
      { op: 'Replace', path: 'displayName', value: displayName },
      { op: 'Add', path: 'name.familyName', value: familyName },
      { op: 'Replace', path: `${enterpriseSchema}:department`, value: 'Treasury' },
      { op: 'Add', path: `${enterpriseSchema}:manager`, value: [{ $ref: null, value: 'not-synced' }] },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+31 6 000' },
    ),
  changeEmail: (email: string) => patch({ op: 'Add', path: 'emails[type eq "work"].value', value: email }),
  changeWrapped: (displayName: string) => patch({ op: 'Add', path: 'displayName', value: [{ $ref: null, value: displayName }] }),
  changePathless: (givenName: string, email: string) =>
    patch({
      op: 'Replace',
      value: { 'name.givenName': givenName, 'emails[type eq "work"].value': email, [`${enterpriseSchema}:department`]: 'x' },
    }),
  newGroup: (displayName: string, externalId: string) => ({
    schemas: [groupSchema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId,
    displayName,
    meta: { resourceType: 'Group' },
  }),
  addMember: (id: string) => patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }),
  /** Without the flag. */
  removeMemberByList: (id: string) => patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }),
  removeMemberByPath: (id: string) => patch({ op: 'Remove', path: `members[value eq "${id}"]` }),
};

export const google = {
  newUser: ({ email, externalId, givenName = 'Ada', familyName = 'Byron' }: Person) => ({
    schemas: [userSchema],
    active: true,
    externalId,
    userName: email,
    name: { givenName, familyName, formatted: `${givenName} ${familyName}` },
    emails: [{ value: email, type: 'work', primary: true }],
  }),
  suspend: () => patch({ op: 'replace', path: 'active', value: false }),
};
