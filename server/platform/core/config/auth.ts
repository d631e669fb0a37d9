import * as z from 'zod';
import { isTimeZone } from '../wording.ts';
import { onOffText, secretText, smtpUrl, integerText, type ConfigContext, type ValuesOf } from './values.ts';

const dayMs = 86_400_000;

const senderLength = 'must be 3 to 254 characters long';

export const authVariables = {
  SECRET_KEY: secretText.optional(),
  /** Only decrypts, during a change of SECRET_KEY. */
  SECRET_KEY_ACCEPTED: secretText.optional(),
  /** Unset: development keeps mail at /dev/mail, production sends none. */
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z.string().min(3, senderLength).max(254, senderLength).default('Admin Panel <panel@localhost>'),
  TIME_ZONE: z.string().refine(isTimeZone, 'must be a time zone like Asia/Shanghai').optional(),
  NEW_BROWSER_CODE: onOffText.optional(),
  SESSION_IDLE_MINUTES: integerText(1, 720).default(30),
  SESSION_HOURS: integerText(1, 72).default(12),
  /** Failed attempts before the wait doubles with each one. */
  SIGN_IN_FREE: integerText(1, 10_000).default(5),
  /** In ten minutes. */
  SIGN_IN_PER_NETWORK: integerText(1, 1_000_000).default(30),
  /** `off`: the networks of roles are ignored. The way back in. */
  ROLE_NETWORKS: onOffText.default('on'),
  /** Longest life of a service token. */
  SERVICE_TOKEN_DAYS: integerText(1, 400).default(365),
  /** Unused that long, a service token is revoked. 0: never. */
  SERVICE_TOKEN_IDLE_DAYS: integerText(0, 400).default(90),
  /** Per token. 0: no limit. */
  SERVICE_CALLS_PER_MINUTE: integerText(0, 1_000_000).default(600),
  /** Opens /scim/v2 for provisioning tokens. */
  SCIM: onOffText.default('off'),
};

export interface AuthConfig {
  readonly secretKey: string | null;
  readonly acceptedSecretKey: string | null;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** IANA name. Null: the language's default. */
  readonly timeZone: string | null;
  readonly newBrowserCode: boolean;
  readonly sessionIdleMs: number;
  readonly sessionMs: number;
  readonly signInFree: number;
  readonly signInPerNetwork: number;
  readonly roleNetworks: boolean;
  readonly serviceTokenMs: number;
  /** 0: never. */
  readonly serviceTokenIdleMs: number;
  /** 0: no limit. */
  readonly serviceCallsPerMinute: number;
  /** Whether the identity provider may manage accounts. */
  readonly scim: boolean;
}

export function readAuth(values: ValuesOf<typeof authVariables>, { production }: ConfigContext): AuthConfig {
  return {
    secretKey: values.SECRET_KEY ?? null,
    acceptedSecretKey: values.SECRET_KEY_ACCEPTED ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM,
    timeZone: values.TIME_ZONE ?? null,
    newBrowserCode: values.NEW_BROWSER_CODE ? values.NEW_BROWSER_CODE === 'on' : production,
    sessionIdleMs: values.SESSION_IDLE_MINUTES * 60_000,
    sessionMs: values.SESSION_HOURS * 3_600_000,
    signInFree: values.SIGN_IN_FREE,
    signInPerNetwork: values.SIGN_IN_PER_NETWORK,
    roleNetworks: values.ROLE_NETWORKS === 'on',
    serviceTokenMs: values.SERVICE_TOKEN_DAYS * dayMs,
    serviceTokenIdleMs: values.SERVICE_TOKEN_IDLE_DAYS * dayMs,
    serviceCallsPerMinute: values.SERVICE_CALLS_PER_MINUTE,
    scim: values.SCIM === 'on',
  };
}
