import * as z from 'zod';
import { splitList } from './urls.ts';
import { ConfigError, httpUrlText, integerText, nonEmptyText, onOffText, type ConfigContext, type ValuesOf } from './values.ts';

const joinModes = ['invited', 'groups', 'scim'] as const;

const claimText = z.string().regex(/^[\w:/.-]{1,200}$/, 'must be the name of a claim');

/** An account that SCIM announced would open for any person who takes the name. */
const changeableClaims = new Set(['email', 'name', 'nickname', 'preferred_username', 'unique_name', 'upn']);

const domainList = z.string().transform((value, context) => {
  const domains = splitList(value).map((domain) => domain.toLowerCase());
  if (domains.length > 0 && domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))) return domains;
  context.addIssue('must be a comma-separated list of domains like example.com');
  return z.NEVER;
});

export const ssoVariables = {
  /** Of one OpenID Connect provider. */
  SSO_ISSUER: httpUrlText.refine((value) => !/[?#@]/.test(value), 'must not contain a user name, query or fragment').optional(),
  SSO_CLIENT_ID: nonEmptyText.optional(),
  SSO_CLIENT_SECRET: nonEmptyText.optional(),
  /** On the button. Unset: the issuer's host. */
  SSO_NAME: z.string().trim().min(1).max(60, 'must be at most 60 characters long').optional(),
  SSO_SCOPES: z
    .string()
    .refine((value) => value.split(/\s+/).includes('openid'), 'must contain openid')
    .default('openid email profile'),
  /** Other claims can change, or belong to someone else later. */
  SSO_SUBJECT_CLAIM: z.enum(['sub', 'oid']).default('sub'),
  SSO_JOIN: z.enum(joinModes).default('invited'),
  /** The claim that equals SCIM's `externalId`. Unset: the subject claim. */
  SSO_SCIM_CLAIM: claimText
    .refine((claim) => !changeableClaims.has(claim), 'must not be a claim that people can change, like the email')
    .optional(),
  /** `trusted`: emails count as verified though the provider doesn't say so (Entra). */
  SSO_EMAIL: z.enum(['verified', 'trusted']).default('verified'),
  SSO_EMAIL_DOMAINS: domainList.optional(),
  SSO_GROUPS_CLAIM: claimText.optional(),
  SSO_ACR_VALUES: z.string().max(500).optional(),
  SSO_SESSION_HOURS: integerText(1, 72).default(8),
  SSO_REQUIRED: onOffText.default('off'),
  SSO_LOGOUT: onOffText.default('off'),
};

export interface SsoConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly name: string;
  readonly scopes: string;
  readonly subjectClaim: 'sub' | 'oid';
  readonly join: (typeof joinModes)[number];
  readonly scimClaim: string;
  readonly email: 'verified' | 'trusted';
  /** Null: any. */
  readonly emailDomains: readonly string[] | null;
  readonly groupsClaim: string | null;
  readonly acrValues: string | null;
  readonly sessionMs: number;
  readonly required: boolean;
  readonly logout: boolean;
}

/** Null without a provider. Throws ConfigError. */
export function readSso(values: ValuesOf<typeof ssoVariables>, { production }: ConfigContext): SsoConfig | null {
  const { SSO_ISSUER: issuer, SSO_CLIENT_ID: clientId } = values;
  if (issuer === undefined && clientId === undefined) {
    if (values.SSO_REQUIRED === 'on') throw new ConfigError('SSO_ISSUER is required when SSO_REQUIRED is on');
    return null;
  }
  if (issuer === undefined) throw new ConfigError('SSO_ISSUER is required when SSO_CLIENT_ID is set');
  if (clientId === undefined) throw new ConfigError('SSO_CLIENT_ID is required when SSO_ISSUER is set');
  const url = new URL(issuer);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (production && url.protocol !== 'https:' && !isLocal)
    throw new ConfigError('SSO_ISSUER must start with https:// in production');
  if (/^\/(common|organizations|consumers)(\/|$)/i.test(url.pathname))
    throw new ConfigError('SSO_ISSUER must name one tenant. Replace common, organizations or consumers with the tenant’s ID');
  return {
    issuer,
    clientId,
    clientSecret: values.SSO_CLIENT_SECRET ?? null,
    name: values.SSO_NAME ?? url.host,
    scopes: values.SSO_SCOPES,
    subjectClaim: values.SSO_SUBJECT_CLAIM,
    join: values.SSO_JOIN,
    scimClaim: values.SSO_SCIM_CLAIM ?? values.SSO_SUBJECT_CLAIM,
    email: values.SSO_EMAIL,
    emailDomains: values.SSO_EMAIL_DOMAINS ?? null,
    groupsClaim: values.SSO_GROUPS_CLAIM ?? null,
    acrValues: values.SSO_ACR_VALUES ?? null,
    sessionMs: values.SSO_SESSION_HOURS * 3_600_000,
    required: values.SSO_REQUIRED === 'on',
    logout: values.SSO_LOGOUT === 'on',
  };
}

/** What the page shows of the provider. */
export const describeSso = (sso: SsoConfig | null) => sso && { name: sso.name, required: sso.required };
