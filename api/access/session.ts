import * as z from 'zod/mini';
import { route, textSchema } from '../base.ts';
import type { PermittedRoute } from '../menu.ts';

const permittedRoute: z.ZodMiniType<PermittedRoute> = z.lazy(() =>
  z.object({
    path: z.string(),
    zh: z.optional(z.string()),
    en: z.optional(z.string()),
    children: z.optional(z.array(permittedRoute)),
  }),
) as z.ZodMiniType<PermittedRoute>;

export const access = z.object({
  email: z.string(),
  permittedRoutes: z.array(permittedRoute),
  /** /api/events reports changes after this number. */
  change: z.optional(z.string()),
  codes: z.array(z.object({ code: z.string() })),
  /** In a CLI session: functions that the person can use only in the browser. */
  browserOnly: z.optional(z.array(z.object({ code: z.string() }))),
  /** A role requires a second factor that is not set up: nothing else works until then. */
  factorNeeded: z.optional(z.boolean()),
  /** A colleague chose the password: nothing else works until it is changed. */
  passwordNeeded: z.optional(z.boolean()),
  /** Names of own roles that grant nothing on this network. */
  inactiveRoles: z.optional(z.array(z.string())),
  expert: z.optional(z.literal(true)),
  expiry: z.optional(z.object({ idleSeconds: z.int(), expiresAt: z.string() })),
});
export type Access = z.infer<typeof access>;

/** Menu and permissions of a role or a person, for viewing the panel as they see it. */
export const viewedAccess = z.extend(z.pick(access, { permittedRoutes: true, codes: true }), {
  /** Names of roles that grant this only in their networks. */
  networkRoles: z._default(z.array(z.string()), []),
});
export type ViewedAccess = z.infer<typeof viewedAccess>;

const emailSchema = () =>
  z.string({ error: 'required' }).check(z.minLength(1, { error: 'required' }), z.maxLength(254, { error: 'tooLong' }));
export const passwordSchema = () =>
  z.string({ error: 'required' }).check(z.minLength(1, { error: 'required' }), z.maxLength(128, { error: 'tooLong' }));
/** 8 characters with a second factor, otherwise 15. The server decides which. */
export const newPasswordSchema = () =>
  z
    .string({ error: 'required' })
    .check(z.minLength(1, { error: 'required' }), z.minLength(8, { error: 'tooShort' }), z.maxLength(128, { error: 'tooLong' }));
export const sixDigitCodeSchema = () =>
  z.pipe(
    z.pipe(
      z.string({ error: 'required' }).check(z.maxLength(20, { error: 'invalid' })),
      z.transform((value: string) => value.replace(/\s/g, '')),
    ),
    z.string().check(z.minLength(1, { error: 'required' }), z.regex(/^\d{6}$/, { error: 'invalid' })),
  );

export const factorMethods = ['totp', 'passkey', 'recovery'] as const;
export type FactorMethod = (typeof factorMethods)[number];

export const factorProof = z.strictObject({ method: z.enum(factorMethods), value: textSchema(8000) });
export type FactorProof = z.infer<typeof factorProof>;

/**
 * `signIn`: the account has neither factor nor password, so its sign-in is the proof. `sso`: it signs in through the provider, so
 * a new sign-in there is the proof (`account.proveSso`).
 */
export const proofMethods = [...factorMethods, 'password', 'signIn', 'sso'] as const;
export type ProofMethod = (typeof proofMethods)[number];

export const identityProof = z.union([factorProof, z.strictObject({ method: z.literal('password'), value: passwordSchema() })]);
export type IdentityProof = z.infer<typeof identityProof>;

export const signInResponse = z.union([
  z.object({ authorization: z.string(), access }),
  z.object({ step: z.literal('code') }),
  z.object({ step: z.literal('factor'), methods: z.array(z.enum(factorMethods)) }),
]);
export type SignInResponse = z.infer<typeof signInResponse>;

/** The provider's address to open. The answer goes to `session.answerSso`. */
export const ssoStart = z.object({ url: z.string() });

const ssoAnswer = z.union([
  signInResponse,
  z.object({
    step: z.literal('link'),
    ticket: z.string(),
    provider: z.object({ name: z.string(), email: z.nullable(z.string()), displayName: z.nullable(z.string()) }),
    account: z.object({ email: z.string() }),
  }),
  /** After `account.proveSso`. */
  z.object({ step: z.literal('proven') }),
]);
export type SsoAnswer = z.infer<typeof ssoAnswer>;

const ssoLinked = z.union([signInResponse, z.object({ step: z.literal('linked') })]);
export type SsoLinked = z.infer<typeof ssoLinked>;

export const sendCodeOutput = z.object({ wait: z.int() });
export const passkeyOptions = z.object({ options: z.string() });

const publicMeta = { public: true } as const;

export const session = {
  signIn: route
    .meta(publicMeta)
    .route({ method: 'POST', path: '/session' })
    .input(z.strictObject({ email: emailSchema(), password: passwordSchema() }))
    .output(signInResponse),
  /** Requires a correct password in this browser shortly before. */
  sendCode: route.meta(publicMeta).route({ method: 'POST', path: '/session/code/send' }).output(sendCodeOutput),
  giveCode: route
    .meta(publicMeta)
    .route({ method: 'POST', path: '/session/code' })
    .input(z.strictObject({ code: sixDigitCodeSchema() }))
    .output(signInResponse),
  passkey: route.meta(publicMeta).route({ method: 'POST', path: '/session/passkey' }).output(passkeyOptions),
  giveFactor: route.meta(publicMeta).route({ method: 'POST', path: '/session/factor' }).input(factorProof).output(signInResponse),
  /** Answers alike whether or not the account exists. */
  forgot: route
    .meta(publicMeta)
    .route({ method: 'POST', path: '/session/forgot' })
    .input(z.strictObject({ email: emailSchema() }))
    .output(sendCodeOutput),
  resetPassword: route
    .meta(publicMeta)
    .route({ method: 'POST', path: '/session/password' })
    .input(z.strictObject({ email: emailSchema(), code: sixDigitCodeSchema(), password: newPasswordSchema() }))
    .output(z.object({})),
  usePasswordLink: route
    .meta(publicMeta)
    .route({ method: 'POST', path: '/session/password-link' })
    .input(z.strictObject({ token: textSchema(100), password: newPasswordSchema() }))
    .output(z.object({ email: z.string() })),
  /** Valid for ten minutes in this browser. Throws SSO_OFF without a provider. */
  startSso: route
    .meta(publicMeta)
    .route({ method: 'POST', path: '/session/sso/start' })
    .input(
      z.strictObject({
        /** Token of an emailed link, after `#link-sso=`. */
        invitation: z.optional(textSchema(100)),
        /** `iss` of a sign-in that starts in the provider's portal. Must equal SSO_ISSUER. */
        issuer: z.optional(textSchema(500)),
        loginHint: z.optional(textSchema(255)),
      }),
    )
    .output(ssoStart),
  /** The query that the provider returned to /login with, without `?`. Throws SSO_FAILED and ATTEMPT_GONE. */
  answerSso: route
    .meta(publicMeta)
    .route({ method: 'POST', path: '/session/sso' })
    .input(z.strictObject({ query: textSchema(8000) }))
    .output(ssoAnswer),
  /** After the person has compared both names. */
  confirmSsoLink: route
    .meta(publicMeta)
    .route({ method: 'POST', path: '/session/sso/link' })
    .input(z.strictObject({ ticket: textSchema(100) }))
    .output(ssoLinked),
  signOut: route
    .meta({ signedIn: true })
    .route({ method: 'DELETE', path: '/session' })
    /** With SSO_LOGOUT: the address that signs out at the provider too. */
    .output(z.object({ providerUrl: z.optional(z.string()) })),
  current: route.meta({ signedIn: true }).route({ method: 'GET', path: '/session' }).output(access),
};
