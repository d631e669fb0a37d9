import * as z from 'zod/mini';
import { route, text } from '../base.ts';
import type { PermittedRoute } from '../menu.ts';

const permittedRoute: z.ZodMiniType<PermittedRoute> = z.lazy(() =>
  z.object({
    path: z.string(),
    zh: z.optional(z.string()),
    en: z.optional(z.string()),
    children: z.optional(z.array(permittedRoute)),
  }),
) as z.ZodMiniType<PermittedRoute>;

/** What the browser may know of who is signed in: the menu it may open and the codes it may use. */
const access = z.object({
  email: z.string(),
  permittedRoutes: z.array(permittedRoute),
  /** Number of the last change of access that is in it; /api/events says when there is a newer one. */
  change: z.optional(z.string()),
  codes: z.array(z.object({ code: z.string() })),
  /** A role asks for a second factor that is not there: until it is, nothing else goes. */
  factorNeeded: z.optional(z.boolean()),
  /** A colleague chose the password: until it is one's own, nothing else goes. */
  passwordNeeded: z.optional(z.boolean()),
  /** The seeded QA account: what is for QA and experts is shown. */
  expert: z.optional(z.literal(true)),
  /** How long the session lasts without use, and at the most. */
  expiry: z.optional(z.object({ idleSeconds: z.int(), expiresAt: z.string() })),
});
export type Access = z.infer<typeof access>;

// ── Secrets as they are typed ──────────────────────────────────────────────

const email = () =>
  z.string({ error: 'required' }).check(z.minLength(1, { error: 'required' }), z.maxLength(254, { error: 'tooLong' }));
/** A password that stands already. */
export const password = () =>
  z.string({ error: 'required' }).check(z.minLength(1, { error: 'required' }), z.maxLength(128, { error: 'tooLong' }));
/** A password to be: 8 characters with a second factor, else 15; which of the two holds is the server's to say. */
export const newPassword = () =>
  z
    .string({ error: 'required' })
    .check(z.minLength(1, { error: 'required' }), z.minLength(8, { error: 'tooShort' }), z.maxLength(128, { error: 'tooLong' }));
/** Six digits, by mail or from an authenticator app; spaces are how people group them. */
export const sixDigits = () =>
  z.pipe(
    z.pipe(
      z.string({ error: 'required' }).check(z.maxLength(20, { error: 'invalid' })),
      z.transform((value: string) => value.replace(/\s/g, '')),
    ),
    z.string().check(z.minLength(1, { error: 'required' }), z.regex(/^\d{6}$/, { error: 'invalid' })),
  );

export const factorMethods = ['totp', 'passkey', 'recovery'] as const;
export type FactorMethod = (typeof factorMethods)[number];

/** A second factor shown: the app's digits, a recovery code, or a passkey's answer as JSON. */
export const factorShown = z.strictObject({ method: z.enum(factorMethods), value: text(8000) });
export type FactorShown = z.infer<typeof factorShown>;

export const proofMethods = [...factorMethods, 'password'] as const;
export type ProofMethod = (typeof proofMethods)[number];

/** What somebody signed in shows again: a second factor, or the password where there is none. */
export const proofShown = z.union([factorShown, z.strictObject({ method: z.literal('password'), value: password() })]);
export type ProofShown = z.infer<typeof proofShown>;

export const signInAnswer = z.union([
  z.object({ authorization: z.string(), access }),
  /** This browser is new: a code by mail comes next (sendCode, giveCode). */
  z.object({ step: z.literal('code') }),
  /** A second factor comes next (passkey, giveFactor). */
  z.object({ step: z.literal('factor'), methods: z.array(z.enum(factorMethods)) }),
]);
/** A session, or what is asked for before there is one. */
export type SignInAnswer = z.infer<typeof signInAnswer>;

/** A code is on its way; the seconds until another may be asked for. */
export const codeSent = z.object({ wait: z.int() });
/** Options for the browser's WebAuthn call, as JSON. */
export const passkeyOptions = z.object({ options: z.string() });

const isPublic = { public: true } as const;

export const session = {
  /** Answers the value for the Authorization header and sets the cookie half of the session, or says which step comes first. */
  signIn: route
    .meta(isPublic)
    .route({ method: 'POST', path: '/session' })
    .input(z.strictObject({ email: email(), password: password() }))
    .output(signInAnswer),
  /** Sends the code that a new browser needs: to whoever has given the right password in this browser a moment ago. */
  sendCode: route.meta(isPublic).route({ method: 'POST', path: '/session/code/send' }).output(codeSent),
  giveCode: route
    .meta(isPublic)
    .route({ method: 'POST', path: '/session/code' })
    .input(z.strictObject({ code: sixDigits() }))
    .output(signInAnswer),
  passkey: route.meta(isPublic).route({ method: 'POST', path: '/session/passkey' }).output(passkeyOptions),
  giveFactor: route.meta(isPublic).route({ method: 'POST', path: '/session/factor' }).input(factorShown).output(signInAnswer),
  /** Sends a code to set a new password with; the answer is the same whether there is such an account. */
  forgot: route
    .meta(isPublic)
    .route({ method: 'POST', path: '/session/forgot' })
    .input(z.strictObject({ email: email() }))
    .output(codeSent),
  resetPassword: route
    .meta(isPublic)
    .route({ method: 'POST', path: '/session/password' })
    .input(z.strictObject({ email: email(), code: sixDigits(), password: newPassword() }))
    .output(z.object({})),
  /** Sets a password with a one-time link: an invitation, or a reset by a colleague. */
  usePasswordLink: route
    .meta(isPublic)
    .route({ method: 'POST', path: '/session/password-link' })
    .input(z.strictObject({ token: text(100), password: newPassword() }))
    .output(z.object({ email: z.string() })),
  signOut: route.meta({ signedIn: true }).route({ method: 'DELETE', path: '/session' }).output(z.object({})),
  current: route.meta({ signedIn: true }).route({ method: 'GET', path: '/session' }).output(access),
};
