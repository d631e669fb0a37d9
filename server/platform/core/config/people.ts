import * as z from 'zod';
import { onOff, secret, smtpUrl, whole, type About, type ValuesOf } from './values.ts';

const senderLength = 'must be 3 to 254 characters long';

export const peopleVariables = {
  /** Seals what the database must not tell whoever steals a copy of it. Required in production. */
  SECRET_KEY: secret.optional(),
  /** The mail server; without it development keeps its mail at /dev/mail, and production sends none. */
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z.string().min(3, senderLength).max(254, senderLength).default('Admin Panel <panel@localhost>'),
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
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
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
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM,
    newBrowserCode: values.NEW_BROWSER_CODE ? values.NEW_BROWSER_CODE === 'on' : production,
    sessionIdleMs: values.SESSION_IDLE_MINUTES * 60_000,
    sessionMs: values.SESSION_HOURS * 3_600_000,
    signInFree: values.SIGN_IN_FREE,
    signInPerNetwork: values.SIGN_IN_PER_NETWORK,
  };
}
