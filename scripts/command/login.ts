import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { panelIn } from '../../qa/kit/sign-in.ts';
import { sessionStoreOf, type StoredSession } from './cli-session.ts';
import { exitCodes, ShellError, type Exit } from './command-output.ts';
import { listenForCode, type Loopback } from './loopback.ts';

export const loginUsage = `panel login               sign in as yourself through the browser, for up to 8 hours. --paste: enter a code instead, for a terminal on
                          another machine. --port <port>, --name <name of this machine>
panel whoami              who is signed in
panel logout              end the session of panel login`;

interface LoginOptions {
  isPasted: boolean;
  port: number;
  name: string;
}

type Print = (line: string) => void;

const requestMs = 600_000;
/** For the browser to load the last page. */
const lastPageMs = 1_000;
const maxWrongCodes = 5;

/** Throws ShellError. The session is stored, and nothing of it is printed. */
export async function login(
  { isPasted, port, name }: LoginOptions,
  print: Print,
  output: (value: unknown) => void,
): Promise<Exit> {
  const origin = panelIn(process.env);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const codeExchange = createCodeExchange(origin, verifier);
  const loopback = isPasted ? null : await listenForCode(port, challenge, codeExchange.submit);
  try {
    await call(origin, 'start', { challenge, name, port: loopback?.port ?? null });
    const address = `${origin}/~cli.approve?challenge=${challenge}`;
    print(`Open this address in a browser where you’re signed in to the panel:\n${address}`);
    if (!isPasted) openBrowser(address, print);
    const session = await (loopback ? withDeadline(codeExchange.done) : pasteCode(codeExchange, print));
    const store = sessionStoreOf(origin, process.env);
    const earlierSession = store.read();
    store.save(session);
    if (earlierSession) await endSession(origin, earlierSession).catch(() => {});
    print(`Signed in to ${origin} as ${session.email} until ${session.expiresAt}`);
    output({ status: 'done', email: session.email, expiresAt: session.expiresAt });
    return exitCodes.done;
  } finally {
    await closeLater(loopback);
  }
}

async function closeLater(loopback: Loopback | null): Promise<void> {
  if (!loopback) return;
  await sleep(lastPageMs);
  loopback.close();
}

/** Throws ShellError. Ends the session at the panel and forgets it here. */
export async function logout(print: Print, output: (value: unknown) => void): Promise<Exit> {
  const origin = panelIn(process.env);
  const store = sessionStoreOf(origin, process.env);
  const session = store.read();
  store.remove();
  if (session) await endSession(origin, session).catch(refuseUnreachable(origin));
  print(session ? `Signed out of ${origin}` : `You weren’t signed in to ${origin}`);
  output({ status: 'done', email: session?.email ?? null });
  return exitCodes.done;
}

const endSession = (origin: string, session: StoredSession) =>
  fetch(`${origin}/api/session`, { method: 'DELETE', headers: headersOf(session), redirect: 'error' });

/** Throws ShellError. */
export async function whoami(output: (value: unknown) => void): Promise<Exit> {
  const origin = panelIn(process.env);
  const token = process.env['PANEL_TOKEN'];
  const session = token ? null : sessionStoreOf(origin, process.env).read();
  const headers = token ? { authorization: `Bearer ${token}` } : session && headersOf(session);
  if (!headers) throw notSignedIn(origin);
  const response = await fetch(`${origin}/api/session`, { headers, redirect: 'error' }).catch(refuseUnreachable(origin));
  const body = (await response.json().catch(() => null)) as { email?: string; codes?: readonly { code: string }[] } | null;
  if (!response.ok || !body?.email) throw notSignedIn(origin);
  const commands = (body.codes ?? []).map(({ code }) => code);
  output({
    panel: origin,
    email: body.email,
    by: token ? 'token' : 'login',
    ...(session && { expiresAt: session.expiresAt }),
    commands,
  });
  return exitCodes.done;
}

const notSignedIn = (origin: string) =>
  new ShellError(
    'SIGNED_OUT',
    exitCodes['not signed in'],
    `no one is signed in to the panel at ${origin}. Run panel login, or set PANEL_TOKEN`,
  );

export const headersOf = ({ authorization, cookie }: StoredSession) => ({
  authorization,
  cookie: `${cookie.name}=${cookie.value}`,
});

/** Exchanges submitted codes for a session. `done` rejects after too many wrong codes, or once the request has ended. */
function createCodeExchange(origin: string, verifier: string) {
  let resolveDone: (session: StoredSession) => void;
  let rejectDone: (error: unknown) => void;
  const done = new Promise<StoredSession>((resolve, reject) => ([resolveDone, rejectDone] = [resolve, reject]));
  done.catch(() => {});
  let wrongCodes = 0;
  const submit = async (code: string): Promise<boolean> => {
    try {
      resolveDone(await exchange(origin, verifier, code));
      return true;
    } catch (error) {
      const isWrong = error instanceof ShellError && error.code === 'CODE_WRONG';
      if (!isWrong || ++wrongCodes >= maxWrongCodes) rejectDone(error);
      return false;
    }
  };
  return { done, submit };
}

async function exchange(origin: string, verifier: string, code: string): Promise<StoredSession> {
  const response = await call(origin, 'exchange', { verifier, code });
  const { authorization, access, expiresAt } = (await response.json()) as {
    authorization: string;
    access: { email: string };
    expiresAt: string;
  };
  const [, name, value] =
    response.headers
      .getSetCookie()
      .map((line) => /^((?:__Host-)?half)=([\w-]+)/.exec(line))
      .find((match) => match !== null) ?? [];
  if (!name || !value)
    throw new ShellError(
      'NOT_A_PANEL',
      exitCodes['not signed in'],
      `${origin} sent an incomplete session. Check PANEL_URL, then run panel login again`,
    );
  return { authorization, cookie: { name, value }, email: access.email, expiresAt };
}

/** Reads one code per line from standard input. */
async function pasteCode(codeExchange: ReturnType<typeof createCodeExchange>, print: Print): Promise<StoredSession> {
  const ended = new AbortController();
  const lines = createInterface({ input: process.stdin, signal: ended.signal });
  const readLines = async (): Promise<never> => {
    print('Enter the code that the browser shows:');
    for await (const line of lines)
      if (line.trim() !== '' && !(await codeExchange.submit(line.trim())))
        print('The code is wrong. Enter the code that the browser shows:');
    throw new ShellError('CANCELED', exitCodes['not signed in'], 'no code was entered. Run panel login again');
  };
  const reading = readLines();
  reading.catch(() => {});
  try {
    // Input may end while the last code is being exchanged.
    return await withDeadline(
      Promise.race([codeExchange.done, reading.catch((error: unknown) => afterExchange(codeExchange, error))]),
    );
  } finally {
    ended.abort();
    process.stdin.unref?.();
  }
}

const afterExchange = (codeExchange: ReturnType<typeof createCodeExchange>, error: unknown): Promise<StoredSession> =>
  Promise.race([codeExchange.done, sleep(0).then(() => Promise.reject(error))]);

async function withDeadline(done: Promise<StoredSession>): Promise<StoredSession> {
  const ended = new AbortController();
  const deadline = sleep(requestMs, undefined, { signal: ended.signal }).then(() => {
    throw new ShellError(
      'ATTEMPT_GONE',
      exitCodes['not signed in'],
      'no one allowed the sign-in within ten minutes. Run panel login again',
    );
  });
  deadline.catch(() => {});
  try {
    return await Promise.race([done, deadline]);
  } finally {
    ended.abort();
  }
}

const problems: Readonly<Record<string, string>> = {
  CODE_WRONG: 'the code is wrong or belongs to another terminal. Run panel login again',
  ATTEMPT_GONE: 'the request or the code has expired or was used. Run panel login again',
  TOO_MANY_REQUESTS: 'too many attempts from this network. Try again in ten minutes',
  NOT_FOUND: 'this panel is an older version without panel login. Set PANEL_TOKEN, or PANEL_EMAIL and PANEL_PASSWORD',
};

async function call(origin: string, step: 'start' | 'exchange', body: unknown): Promise<Response> {
  const response = await fetch(`${origin}/api/cli/${step}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
  }).catch(refuseUnreachable(origin));
  if (response.ok) return response;
  const { code = 'NOT_A_PANEL' } = ((await response.json().catch(() => null)) ?? {}) as { code?: string };
  throw new ShellError(
    code,
    exitCodes['not signed in'],
    problems[code] ?? `the panel refused the sign-in (${code}). See docs/errors.md`,
  );
}

export const refuseUnreachable =
  (origin: string) =>
  (error: Error & { cause?: { code?: string } }): never => {
    const reason = error.cause?.code ?? error.message;
    throw new ShellError('UNREACHABLE', exitCodes.unreachable, `can’t reach the panel at ${origin} (${reason}). Check PANEL_URL`);
  };

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] };

/** BROWSER names another program. If none starts, the person opens the printed address. */
function openBrowser(address: string, print: Print): void {
  const [program = 'xdg-open', ...args] = process.env['BROWSER'] ? [process.env['BROWSER']] : (openers[process.platform] ?? []);
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.once('error', () => print('Couldn’t start a browser. Open the address in a browser, or run panel login --paste.'));
  child.unref();
}
