import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP, URI } from 'otpauth';

export interface Account {
  email: string;
  /** In coverage reports. Default: the email. */
  label?: string | undefined;
  password: string;
  /** Base32 or otpauth:// address. */
  totp?: string | undefined;
  /** Emailed to a browser the panel does not know. */
  code?: string | undefined;
}

export interface Session {
  authorization: string;
  access: Access;
}

interface Route {
  path: string;
  children?: readonly Route[] | undefined;
}

interface Access {
  email: string;
  codes: readonly { code: string }[];
  permittedRoutes: readonly Route[];
  passwordNeeded?: boolean | undefined;
  factorNeeded?: boolean | undefined;
}

type SignInStep = Session | { step: 'code' } | { step: 'factor'; methods: readonly string[] } | { step: 'other' };

/** The message says what to do. */
export class SignInError extends Error {
  override name = 'SignInError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type Post = (path: string, body?: unknown) => Promise<{ ok: boolean; body: unknown }>;

/** Reads PANEL_EMAIL, PANEL_PASSWORD, PANEL_TOTP and PANEL_CODE. */
export function accountIn(env: NodeJS.ProcessEnv): Account {
  const { PANEL_EMAIL: email, PANEL_PASSWORD: password, PANEL_TOTP: totp, PANEL_CODE: code } = env;
  if (!email || !password) throw new Error('PANEL_EMAIL and PANEL_PASSWORD must be set');
  return { email, password, totp, code };
}

/** PANEL_URL: an origin, or several separated by commas, one per worker. */
export function panelIn(env: NodeJS.ProcessEnv): string {
  const panelUrls = (env['PANEL_URL'] ?? '').split(',').map((url) => url.trim());
  if (!panelUrls.every((url) => URL.canParse(url)))
    throw new Error('PANEL_URL must be set to a panel, like https://panel.example.com');
  const worker = Number(env['TEST_PARALLEL_INDEX'] ?? 0);
  const workerUrl = panelUrls.length === 1 ? panelUrls[0] : panelUrls[worker];
  if (workerUrl === undefined)
    throw new Error(`worker ${worker + 1} has no panel, because PANEL_URL lists only ${panelUrls.length}`);
  return new URL(workerUrl).origin;
}

/** Throws SignInError. `aheadMs`: offset of the panel's clock. */
export async function signIn(
  post: Post,
  { email, password, totp, code }: Account,
  aheadMs: () => Promise<number> = async () => 0,
): Promise<Session> {
  let signInStep = await parseSignIn(post('/api/session', { email, password }));
  if ('step' in signInStep && signInStep.step === 'code') {
    if (!code) {
      await post('/api/session/code/send');
      throw new SignInError(
        'CODE_REQUIRED',
        `this is a new browser for the panel. The panel emailed a code to ${email}. Set PANEL_CODE to that code for this run`,
      );
    }
    signInStep = await parseSignIn(post('/api/session/code', { code }));
  }
  if ('step' in signInStep && signInStep.step === 'factor') {
    if (!totp)
      throw new SignInError(
        'FACTOR_REQUIRED',
        `${email} has a second factor (${signInStep.methods.join(', ')}). Set PANEL_TOTP to its secret`,
      );
    signInStep = await submitTotp(post, totp, await aheadMs());
  }
  if (!('access' in signInStep))
    throw new SignInError('OTHER_VERSION', `the panel requires an unknown sign-in step: ${signInStep.step}`);
  const { access } = signInStep;
  if (access.passwordNeeded)
    throw new SignInError('PASSWORD_REQUIRED', `${email} must set their own password in a browser first`);
  if (access.factorNeeded)
    throw new SignInError('FACTOR_REQUIRED', `a role of ${email} requires a second factor. Set it up in a browser first`);
  return { authorization: signInStep.authorization, access };
}

/** A TOTP code works once. */
async function submitTotp(post: Post, secret: string, aheadMs: number): Promise<SignInStep> {
  const app = secret.startsWith('otpauth:')
    ? URI.parse(secret)
    : new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, '')) });
  if (!(app instanceof TOTP)) throw new Error('PANEL_TOTP isn’t a time-based (TOTP) secret');
  const submitCode = () =>
    post('/api/session/factor', { method: 'totp', value: app.generate({ timestamp: Date.now() + aheadMs }) });
  const firstResponse = await submitCode();
  if (firstResponse.ok) return parseSignIn(Promise.resolve(firstResponse));
  await sleep(app.remaining({ timestamp: Date.now() + aheadMs }) + 100);
  return parseSignIn(submitCode());
}

/** Local storage of a session. */
export const storedOf = ({ authorization, access }: Session): Record<string, string> => ({
  Authorization: authorization,
  permittedRoutes: JSON.stringify(access.permittedRoutes),
  'prefs.access': JSON.stringify({ email: access.email, codes: access.codes }),
});

export const workerOf = (
  { access: { email, codes, permittedRoutes } }: Session,
  label = email,
): { email: string; granted: string[] } => ({
  email: label,
  granted: [...codes.map(({ code }) => code), ...pathsOf(permittedRoutes)],
});

const pathsOf = (routes: readonly Route[]): string[] => routes.flatMap(({ path, children = [] }) => [path, ...pathsOf(children)]);

const hints: Readonly<Record<string, string>> = {
  SIGN_IN_FAILED: 'wrong email or password, or the account is disabled',
  TOO_MANY_REQUESTS: 'too many attempts, try again later',
  NOT_A_PANEL: 'the URL isn’t a panel',
};

async function parseSignIn(response: ReturnType<Post>): Promise<SignInStep> {
  const { ok, body } = await response;
  if (!ok) {
    const code = (body as { code?: string } | null)?.code ?? 'NOT_A_PANEL';
    throw new SignInError(code, `sign-in failed: ${code}${code in hints ? ` (${hints[code]})` : ''}`);
  }
  return body as SignInStep;
}

/** Stores the known-browser cookie in PANEL_STATE, by default .cache/panel. It grants no access. */
export function cookieStoreOf(url: string, email: string, env: NodeJS.ProcessEnv) {
  const name = createHash('sha256').update(`${url} ${email}`).digest('hex').slice(0, 16);
  const file = join(env['PANEL_STATE'] ?? '.cache/panel', `${name}.json`);
  return {
    read(): { name: string; value: string } | null {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as { name: string; value: string };
      } catch {
        return null;
      }
    },
    keep(cookies: readonly { name: string; value: string }[]): void {
      const browserCookie = cookies.find((cookie) => /^(__Host-)?browser$/.test(cookie.name));
      if (!browserCookie) return;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ name: browserCookie.name, value: browserCookie.value }), { mode: 0o600 });
    },
  };
}
