import * as z from 'zod/mini';
import { access } from '../access/session.ts';
import { route, textSchema } from '../base.ts';
import { isVisibleName } from '../visible-text.ts';

/** SHA-256 of the verifier, in base64url (RFC 7636, S256). */
const challengeSchema = () =>
  z
    .string({ error: 'required' })
    .check(z.trim(), z.minLength(1, { error: 'required' }), z.regex(/^[\w-]{43}$/, { error: 'invalid' }));

const machineNameSchema = () => textSchema(64).check(z.refine(isVisibleName, { error: 'invalid' }));

export const cliChallenge = z.strictObject({ challenge: challengeSchema() });

const cliRequest = z.object({
  /** As the machine calls itself, so unverified. */
  name: z.string(),
  /** Network addresses that the server sees. */
  terminalIp: z.string(),
  browserIp: z.string(),
  /** Of the terminal on the loopback address, or null if the code is pasted. */
  port: z.nullable(z.int()),
  hours: z.int(),
});
export type CliRequest = z.infer<typeof cliRequest>;

const approvedRequest = z.object({ code: z.string(), port: z.nullable(z.int()), expiresAt: z.string() });

export const cli = {
  start: route
    .meta({ public: true })
    .route({ method: 'POST', path: '/cli/start' })
    .input(
      z.strictObject({
        challenge: challengeSchema(),
        name: machineNameSchema(),
        port: z.nullable(z.int().check(z.minimum(1024), z.maximum(65_535))),
      }),
    )
    .output(z.object({ expiresAt: z.string() })),
  request: route.meta({ signedIn: true }).route({ method: 'POST', path: '/cli/request' }).input(cliChallenge).output(cliRequest),
  approve: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/cli/approve' })
    .input(cliChallenge)
    .output(approvedRequest),
  exchange: route
    .meta({ public: true })
    .route({ method: 'POST', path: '/cli/exchange' })
    .input(
      z.strictObject({ verifier: z.string().check(z.regex(/^[\w-]{43,128}$/, { error: 'invalid' })), code: textSchema(100) }),
    )
    .output(z.object({ authorization: z.string(), access, expiresAt: z.string() })),
};
