import * as z from 'zod';
import { isTimeZone } from '../wording.ts';
import { onOff, secret, smtpUrl, whole, type About, type ValuesOf } from './values.ts';

const senderLength = 'must be 3 to 254 characters long';

export const peopleVariables = {
  /** Seals what the database must not tell whoever steals a copy of it. Required in production. */
  SECRET_KEY: secret.optional(),
  /** A second key that still opens what it sealed, while SECRET_KEY is being replaced. */
  SECRET_KEY_ACCEPTED: secret.optional(),
  /** The mail server; without it development keeps its mail at /dev/mail, and production sends none. */
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z.string().min(3, senderLength).max(254, senderLength).default('Admin Panel <panel@localhost>'),
  /** The zone of times in mails and alarms; without it Beijing's in Chinese and UTC in English. */
  TIME_ZONE: z.string().refine(isTimeZone, 'must be a time zone like Asia/Shanghai').optional(),
  /** Whether signing in from a browser not seen before asks for a code by mail; on in production unless told otherwise. */
  NEW_BROWSER_CODE: onOff.optional(),
  SESSION_IDLE_MINUTES: whole(1, 720).default(30),
  SESSION_HOURS: whole(1, 72).default(12),
  /** Wrong passwords an account has free before each one makes it wait twice as long. */
  SIGN_IN_FREE: whole(1, 10_000).default(5),
  /** Wrong passwords from one network in ten minutes. */
  SIGN_IN_PER_NETWORK: whole(1, 1_000_000).default(30),
};

export interface PeopleConfig {
  readonly secretKey: string | null;
  /** Opens what it sealed, and seals nothing. */
  readonly acceptedSecretKey: string | null;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** IANA name; null: each language's own (core/wording.ts). */
  readonly timeZone: string | null;
  readonly newBrowserCode: boolean;
  readonly sessionIdleMs: number;
  readonly sessionMs: number;
  readonly signInFree: number;
  readonly signInPerNetwork: number;
}

/** Who signs in, how, and how they are written to. */
export function readPeople(values: ValuesOf<typeof peopleVariables>, { production }: About): PeopleConfig {
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
  };
}
