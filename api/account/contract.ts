import * as z from 'zod/mini';
import { factorGaps } from '../access/factor-gap.ts';
import { idSchema, route, textSchema } from '../base.ts';
import {
  sendCodeOutput,
  newPasswordSchema,
  passkeyOptions,
  passwordSchema,
  proofMethods,
  identityProof,
  sixDigitCodeSchema,
  ssoStart,
} from '../access/session.ts';
import { signInMethods } from '../access/sign-in-values.ts';

const ownSession = z.object({
  id: idSchema(),
  ip: z.string(),
  userAgent: z.string(),
  method: z.enum(signInMethods),
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

const ownAccount = z.object({
  email: z.string(),
  roles: z.array(z.string()),
  passwordChangedAt: z.nullable(z.string()),
  walletAddress: z.nullable(z.string()),
  /** False: signs in through the provider or by wallet alone. */
  hasPassword: z.boolean(),
  /** The person of the identity provider. */
  sso: z.nullable(z.object({ email: z.nullable(z.string()), linkedAt: z.string(), lastUsedAt: z.nullable(z.string()) })),
  totp: z.boolean(),
  passkeys: z.array(passkey),
  recoveryLeft: z.int(),
  factorGap: z._default(z.nullable(z.enum(factorGaps)), null),
  factorNeeded: z.boolean(),
  passwordNeeded: z.boolean(),
  sessions: z.array(ownSession),
});
export type OwnAccount = z.infer<typeof ownAccount>;

export const passwordChange = z.strictObject({
  current: passwordSchema(),
  password: newPasswordSchema(),
  code: sixDigitCodeSchema(),
});

const enrollmentCodeSchema = () => textSchema(40);

/** By which a colleague vouches for the factor. */
export const enrollmentCodeUse = z.strictObject({ enrollmentCode: enrollmentCodeSchema() });

/** Null: codes exist already. */
const recoveryCodes = z.object({ recoveryCodes: z.nullable(z.array(z.string())) });

const signedInMeta = { signedIn: true } as const;

export const account = {
  get: route.meta(signedInMeta).route({ method: 'GET', path: '/account' }).output(ownAccount),
  sendCode: route.meta(signedInMeta).route({ method: 'POST', path: '/account/code' }).output(sendCodeOutput),
  changePassword: route
    .meta(signedInMeta)
    .route({ method: 'PUT', path: '/account/password' })
    .input(passwordChange)
    .output(z.object({})),
  startTotp: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/account/totp/start' })
    .output(z.object({ secret: z.string(), uri: z.string() })),
  addTotp: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/account/totp' })
    .input(z.strictObject({ code: sixDigitCodeSchema(), enrollmentCode: z.optional(enrollmentCodeSchema()) }))
    .output(recoveryCodes),
  removeTotp: route.meta(signedInMeta).route({ method: 'DELETE', path: '/account/totp' }).output(z.object({})),
  newRecoveryCodes: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/account/recovery-codes' })
    .output(z.object({ recoveryCodes: z.array(z.string()) })),
  startPasskey: route.meta(signedInMeta).route({ method: 'POST', path: '/account/passkeys/start' }).output(passkeyOptions),
  addPasskey: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/account/passkeys' })
    .input(
      z.strictObject({ name: textSchema(80), response: textSchema(8000), enrollmentCode: z.optional(enrollmentCodeSchema()) }),
    )
    .output(recoveryCodes),
  removePasskey: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/account/passkeys/remove' })
    .input(z.strictObject({ id: idSchema() }))
    .output(z.object({})),
  /** Vouches for an existing second factor. Requires a recent one. */
  useEnrollmentCode: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/account/enrollment-code' })
    .input(enrollmentCodeUse)
    .output(z.object({})),
  factor: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/account/factor/start' })
    .output(z.object({ methods: z.array(z.enum(proofMethods)), options: z.nullable(z.string()) })),
  confirmFactor: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/account/factor' })
    .input(identityProof)
    .output(z.object({})),
  /** Starts a link at the provider. Requires a recent factor or password. */
  linkSso: route.meta(signedInMeta).route({ method: 'POST', path: '/account/sso/start' }).output(ssoStart),
  /** Throws LAST_SIGN_IN_METHOD without a password or wallet, and PROVIDER_REQUIRED where linked accounts need the provider. */
  unlinkSso: route.meta(signedInMeta).route({ method: 'DELETE', path: '/account/sso' }).output(z.object({})),
  /** Signs in at the provider again, as the proof for a first factor. */
  proveSso: route.meta(signedInMeta).route({ method: 'POST', path: '/account/sso/prove' }).output(ssoStart),
  endSession: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/account/sessions/end' })
    .input(z.strictObject({ id: idSchema() }))
    .output(z.object({})),
  endOtherSessions: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/account/sessions/end-others' })
    .output(z.object({ ended: z.int() })),
};
