import * as z from 'zod/mini';
import { id, route, text } from '../base.ts';
import { codeSent, newPassword, passkeyOptions, password, proofMethods, proofShown, sixDigits } from '../access/session.ts';

const ownSession = z.object({
  id: id(),
  ip: z.string(),
  userAgent: z.string(),
  method: z.enum(['password', 'wallet']),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  /** The one that asks. */
  current: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSession>;

const passkey = z.object({
  id: id(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof passkey>;

const self = z.object({
  email: z.string(),
  roles: z.array(z.string()),
  passwordChangedAt: z.nullable(z.string()),
  walletAddress: z.nullable(z.string()),
  /** An authenticator app is set up. */
  totp: z.boolean(),
  passkeys: z.array(passkey),
  /** Recovery codes not used yet. */
  recoveryLeft: z.int(),
  /** A role asks for a second factor. */
  factorNeeded: z.boolean(),
  /** A colleague chose the password; it is to be replaced by one's own. */
  passwordNeeded: z.boolean(),
  sessions: z.array(ownSession),
});
export type Self = z.infer<typeof self>;

/** What "Change Password" asks for. */
export const passwordChange = z.strictObject({ current: password(), password: newPassword(), code: sixDigits() });

/** Shown once: new ones make the old worthless. Null when there are some already. */
const recoveryCodes = z.object({ recoveryCodes: z.nullable(z.array(z.string())) });

const own = { signedIn: true } as const;

/** Everything here is about the person who asks. */
export const account = {
  get: route.meta(own).route({ method: 'GET', path: '/account' }).output(self),
  /** Sends the code that changing the password needs. */
  sendCode: route.meta(own).route({ method: 'POST', path: '/account/code' }).output(codeSent),
  changePassword: route.meta(own).route({ method: 'PUT', path: '/account/password' }).input(passwordChange).output(z.object({})),
  /** Begins to set up an authenticator app: its secret, and the same as what the QR code says. */
  startTotp: route
    .meta(own)
    .route({ method: 'POST', path: '/account/totp/start' })
    .output(z.object({ secret: z.string(), uri: z.string() })),
  addTotp: route
    .meta(own)
    .route({ method: 'POST', path: '/account/totp' })
    .input(z.strictObject({ code: sixDigits() }))
    .output(recoveryCodes),
  removeTotp: route.meta(own).route({ method: 'DELETE', path: '/account/totp' }).output(z.object({})),
  newRecoveryCodes: route
    .meta(own)
    .route({ method: 'POST', path: '/account/recovery-codes' })
    .output(z.object({ recoveryCodes: z.array(z.string()) })),
  startPasskey: route.meta(own).route({ method: 'POST', path: '/account/passkeys/start' }).output(passkeyOptions),
  addPasskey: route
    .meta(own)
    .route({ method: 'POST', path: '/account/passkeys' })
    .input(z.strictObject({ name: text(80), response: text(8000) }))
    .output(recoveryCodes),
  removePasskey: route
    .meta(own)
    .route({ method: 'POST', path: '/account/passkeys/remove' })
    .input(z.strictObject({ id: id() }))
    .output(z.object({})),
  /** What this person can show again (the password only without a factor), and the question to a passkey when there is one. */
  factor: route
    .meta(own)
    .route({ method: 'POST', path: '/account/factor/start' })
    .output(z.object({ methods: z.array(z.enum(proofMethods)), options: z.nullable(z.string()) })),
  /** Shows the second factor or the password again: for five minutes what asks for a fresh one goes. */
  confirmFactor: route.meta(own).route({ method: 'POST', path: '/account/factor' }).input(proofShown).output(z.object({})),
  endSession: route
    .meta(own)
    .route({ method: 'POST', path: '/account/sessions/end' })
    .input(z.strictObject({ id: id() }))
    .output(z.object({})),
  endOtherSessions: route
    .meta(own)
    .route({ method: 'POST', path: '/account/sessions/end-others' })
    .output(z.object({ ended: z.int() })),
};
