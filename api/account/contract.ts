import * as z from 'zod/mini';
import { idSchema, route, textSchema } from '../base.ts';
import { codeSent, newPassword, passkeyOptions, password, proofMethods, proofShown, sixDigits } from '../access/session.ts';

const ownSession = z.object({
  id: idSchema(),
  ip: z.string(),
  userAgent: z.string(),
  method: z.enum(['password', 'wallet']),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  current: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSession>;

const passkey = z.object({
  id: idSchema(),
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
  totp: z.boolean(),
  passkeys: z.array(passkey),
  recoveryLeft: z.int(),
  factorNeeded: z.boolean(),
  passwordNeeded: z.boolean(),
  sessions: z.array(ownSession),
});
export type Self = z.infer<typeof self>;

export const passwordChange = z.strictObject({ current: password(), password: newPassword(), code: sixDigits() });

/** Null: codes exist already. */
const recoveryCodes = z.object({ recoveryCodes: z.nullable(z.array(z.string())) });

const own = { signedIn: true } as const;

export const account = {
  get: route.meta(own).route({ method: 'GET', path: '/account' }).output(self),
  sendCode: route.meta(own).route({ method: 'POST', path: '/account/code' }).output(codeSent),
  changePassword: route.meta(own).route({ method: 'PUT', path: '/account/password' }).input(passwordChange).output(z.object({})),
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
    .input(z.strictObject({ name: textSchema(80), response: textSchema(8000) }))
    .output(recoveryCodes),
  removePasskey: route
    .meta(own)
    .route({ method: 'POST', path: '/account/passkeys/remove' })
    .input(z.strictObject({ id: idSchema() }))
    .output(z.object({})),
  factor: route
    .meta(own)
    .route({ method: 'POST', path: '/account/factor/start' })
    .output(z.object({ methods: z.array(z.enum(proofMethods)), options: z.nullable(z.string()) })),
  confirmFactor: route.meta(own).route({ method: 'POST', path: '/account/factor' }).input(proofShown).output(z.object({})),
  endSession: route
    .meta(own)
    .route({ method: 'POST', path: '/account/sessions/end' })
    .input(z.strictObject({ id: idSchema() }))
    .output(z.object({})),
  endOtherSessions: route
    .meta(own)
    .route({ method: 'POST', path: '/account/sessions/end-others' })
    .output(z.object({ ended: z.int() })),
};
