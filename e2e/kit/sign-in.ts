import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP, URI } from 'otpauth';

/** Who works a panel from outside: a shell, or a test against a deployed panel. */
export interface Account {
  email: string;
  /** What it is called where a run says what it covered; else by its e-mail. */
  label?: string | undefined;
  password: string;
  /** The authenticator app's secret: base32 or its otpauth:// address. */
  totp?: string | undefined;
  /** The code that came by mail, where the panel did not know this place yet. */
  code?: string | undefined;
}

export interface Session {
  authorization: string;
  access: Access;
}

/** A screen that the account may open, and those under it. */
interface Route {
  path: string;
  children?: readonly Route[] | undefined;
}

/** What the panel says of who is signed in. */
interface Access {
  email: string;
  codes: readonly { code: string }[];
  permittedRoutes: readonly Route[];
  passwordNeeded?: boolean | undefined;
  factorNeeded?: boolean | undefined;
}

/** Signed in, or what the panel asks for next. */
type SignInAnswer = Session | { step: 'code' } | { step: 'factor'; methods: readonly string[] } | { step: 'other' };

/** The panel let nobody in: the code says why, and the message what to do. */
export class SignInError extends Error {
  override name = 'SignInError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** One request to the panel's API, with cookies as a browser keeps them. */
export type Post = (path: string, body?: unknown) => Promise<{ ok: boolean; body: unknown }>;

/** The account that the environment names: PANEL_EMAIL, PANEL_PASSWORD, PANEL_TOTP, PANEL_CODE. */
export function accountIn(env: NodeJS.ProcessEnv): Account {
  const { PANEL_EMAIL: email, PANEL_PASSWORD: password, PANEL_TOTP: totp, PANEL_CODE: code } = env;
  if (!email || !password) throw new Error('PANEL_EMAIL and PANEL_PASSWORD must be set');
  return { email, password, totp, code };
}

/** Where the panel runs, as PANEL_URL says: an http(s) origin, or several with commas, one for each worker of a run. */
export function panelIn(env: NodeJS.ProcessEnv): string {
  const given = (env['PANEL_URL'] ?? '').split(',').map((url) => url.trim());
  if (!given.every((url) => URL.canParse(url)))
    throw new Error('PANEL_URL must be set to a panel, like https://panel.example.com');
  const worker = Number(env['TEST_PARALLEL_INDEX'] ?? 0);
  const own = given.length === 1 ? given[0] : given[worker];
  if (own === undefined) throw new Error(`worker ${worker + 1} has no panel, because PANEL_URL lists only ${given.length}`);
  return new URL(own).origin;
}

/**
 * Signs in step by step. Throws an error that says what the panel asks for and how to give it. `aheadMs`: how far the panel's clock
 * is ahead, which digits of an authenticator go by.
 */
export async function signIn(
  post: Post,
  { email, password, totp, code }: Account,
  aheadMs: () => Promise<number> = async () => 0,
): Promise<Session> {
  let answer = await answered(post('/api/session', { email, password }));
  if ('step' in answer && answer.step === 'code') {
    if (!code) {
      await post('/api/session/code/send');
      throw new SignInError(
        'CODE_REQUIRED',
        `this is a new browser for the panel. The panel emailed a code to ${email}. Set PANEL_CODE to that code for this run`,
      );
    }
    answer = await answered(post('/api/session/code', { code }));
  }
  if ('step' in answer && answer.step === 'factor') {
    if (!totp)
      throw new SignInError(
        'FACTOR_REQUIRED',
        `${email} has a second factor (${answer.methods.join(', ')}). Set PANEL_TOTP to its secret`,
      );
    answer = await giveDigits(post, totp, await aheadMs());
  }
  if (!('access' in answer)) throw new SignInError('OTHER_VERSION', `the panel requires an unknown sign-in step: ${answer.step}`);
  const { access } = answer;
  if (access.passwordNeeded)
    throw new SignInError('PASSWORD_REQUIRED', `${email} must set their own password in a browser first`);
  if (access.factorNeeded)
    throw new SignInError('FACTOR_REQUIRED', `a role of ${email} requires a second factor. Set it up in a browser first`);
  return { authorization: answer.authorization, access };
}

/** Digits are good once: where somebody has used these, the next ones are waited for. */
async function giveDigits(post: Post, secret: string, aheadMs: number): Promise<SignInAnswer> {
  const app = secret.startsWith('otpauth:')
    ? URI.parse(secret)
    : new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, '')) });
  if (!(app instanceof TOTP)) throw new Error('PANEL_TOTP isn’t a time-based (TOTP) secret');
  const show = () => post('/api/session/factor', { method: 'totp', value: app.generate({ timestamp: Date.now() + aheadMs }) });
  const first = await show();
  if (first.ok) return answered(Promise.resolve(first));
  await sleep(app.remaining({ timestamp: Date.now() + aheadMs }) + 100);
  return answered(show());
}

/** What the page of a session keeps in its local storage. */
export const storedOf = ({ authorization, access }: Session): Record<string, string> => ({
  Authorization: authorization,
  permittedRoutes: JSON.stringify(access.permittedRoutes),
  'prefs.access': JSON.stringify({ email: access.email, codes: access.codes }),
});

/** Who works a page with a session, and what of it: rights and screens. */
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

async function answered(asked: ReturnType<Post>): Promise<SignInAnswer> {
  const { ok, body } = await asked;
  if (!ok) {
    const code = (body as { code?: string } | null)?.code ?? 'NOT_A_PANEL';
    throw new SignInError(code, `sign-in failed: ${code}${code in hints ? ` (${hints[code]})` : ''}`);
  }
  return body as SignInAnswer;
}

/**
 * What the panel knows this place by, as a browser keeps its cookie: so that a code by mail is asked for once.
 * It opens nothing by itself. Kept in the folder PANEL_STATE names, else in .cache/panel.
 */
export function placeOf(url: string, email: string, env: NodeJS.ProcessEnv) {
  const name = createHash('sha256').update(`${url} ${email}`).digest('hex').slice(0, 16);
  const file = join(env['PANEL_STATE'] ?? '.cache/panel', `${name}.json`);
  return {
    read(): { name: string; value: string } | null {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as { name: string; value: string };
      } catch {
        return null; // never been here
      }
    },
    keep(cookies: readonly { name: string; value: string }[]): void {
      const known = cookies.find((cookie) => /^(__Host-)?browser$/.test(cookie.name));
      if (!known) return;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ name: known.name, value: known.value }), { mode: 0o600 });
    },
  };
}
