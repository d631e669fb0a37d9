import { accountIn, panelIn, cookieStoreOf, signIn, SignInError, type Post } from '../../qa/kit/sign-in.ts';
import type { Access } from '../../api/access/session.ts';
import { registry } from '../../src/commands/app/all.ts';
import type { CommandContext } from '../../src/commands/engine/assess.ts';
import type { Invocation } from '../../src/commands/engine/define.ts';
import { createDispatch } from '../../src/commands/engine/dispatch/dispatch.ts';
import { loaders } from '../../src/commands/app/loaders.ts';
import { createApi } from '../../src/lib/net/client.ts';
import { loadDictionary, loadResourceTexts } from '../../src/lib/i18n/boot.ts';
import { setPageLocale } from '../../src/lib/i18n/locale.ts';
import { $authorization, $codeSet, $permittedPaths, setAccess } from '../../src/lib/session/session.ts';
import { emulateBrowser, shellHost } from './host.ts';
import { sessionStoreOf } from './cli-session.ts';
import { refuseUnreachable } from './login.ts';
import { describeProblem, dispatchWithToken, parseToken, readTokenAccess } from './token.ts';
import { readPassword } from './password.ts';
import { exitCodes, toFailedOutput, ShellError, toCommandOutput, type CommandOutput } from './command-output.ts';

interface ShellAccess {
  access: Access;
  authorization: string;
  isToken?: boolean;
}

export interface ShellSession {
  run(invocation: Invocation): Promise<CommandOutput>;
  end(): Promise<void>;
}

export async function beginSession(isPasswordFromInput: boolean, print: (line: string) => void): Promise<ShellSession> {
  const origin = panelIn(process.env);
  const browser = emulateBrowser(origin);
  if (process.env['PANEL_TOKEN']) {
    const authorization = `Bearer ${parseToken(process.env['PANEL_TOKEN'])}`;
    return openShell(origin, print, { access: await readTokenAccess(origin, authorization), authorization, isToken: true });
  }
  if (!process.env['PANEL_EMAIL']) return openShell(origin, print, await readLoginAccess(origin, browser));
  if (!isLoopback(origin)) print(passwordHint);
  const account = accountIn({ ...process.env, PANEL_PASSWORD: await readPassword(isPasswordFromInput) });
  const cookieStore = cookieStoreOf(origin, account.email, process.env);
  const storedCookie = cookieStore.read();
  if (storedCookie) browser.put(storedCookie);
  const { authorization, access } = await signIn(postTo(origin), account, aheadMs).catch((error: unknown) => {
    throw error instanceof SignInError ? new ShellError(error.code, exitCodes['not signed in'], error.message) : error;
  });
  cookieStore.keep(browser.cookies());
  return openShell(origin, print, { access: access as Access, authorization }, async () => {
    if (!$authorization.get()) return;
    await createApi(null, null)
      .session.signOut()
      .catch(() => {});
  });
}

const passwordHint =
  'note: a script should use PANEL_TOKEN, the token of a service account, not a person’s password. A person can run panel login';

/** A demo or a test. */
const isLoopback = (origin: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);

/** A token has no session, and that of `panel login` stays, so there is nothing to end. */
async function openShell(
  origin: string,
  print: (line: string) => void,
  { access, authorization, isToken = false }: ShellAccess,
  end: ShellSession['end'] = async () => {},
): Promise<ShellSession> {
  setAccess(access, authorization);
  setPageLocale('en-US');
  await Promise.all([loadDictionary(), loadResourceTexts()]);
  const host = shellHost(origin, print);
  const dispatch = createDispatch({
    registry,
    loadAll: async () => {},
    host,
    loaders: async () => loaders,
    context,
    freeze: () => [],
    person: () => access.email,
    apiFor: createApi,
  });
  return {
    async run(invocation) {
      const outcome = await (isToken ? dispatchWithToken(dispatch, invocation, context()) : dispatch(invocation, 'script'));
      const output = await toCommandOutput(outcome, invocation.id);
      if (isToken && output.json.code === 'UNAUTHORIZED')
        output.json.message = `PANEL_TOKEN ${describeProblem(output.json['data'])}`;
      const [saveError] = await host.saved();
      return saveError && output.json.status === 'done' ? toFailedOutput(saveError) : output;
    },
    end,
  };
}

/** Of the session that `panel login` began. It stays after the command. Throws ShellError. */
async function readLoginAccess(origin: string, browser: ReturnType<typeof emulateBrowser>): Promise<ShellAccess> {
  const store = sessionStoreOf(origin, process.env);
  const session = store.read();
  if (!session)
    throw new ShellError(
      'SIGNED_OUT',
      exitCodes['not signed in'],
      `no one is signed in to the panel at ${origin}. Run panel login, or set PANEL_TOKEN, or PANEL_EMAIL and PANEL_PASSWORD`,
    );
  browser.put(session.cookie);
  const { authorization } = session;
  const response = await fetch('/api/session', { headers: { authorization } }).catch(refuseUnreachable(origin));
  const access = (await response.json().catch(() => null)) as Access | null;
  if (response.ok && access) return { access: withBrowserOnly(access), authorization };
  if (response.status === 401) store.remove();
  throw new ShellError('SIGNED_OUT', exitCodes['not signed in'], `your session at ${origin} has ended. Run panel login again`);
}

/** Lets the server answer NOT_HERE. Otherwise the shell would say that the permission is missing. */
const withBrowserOnly = (access: Access): Access => ({ ...access, codes: [...access.codes, ...(access.browserOnly ?? [])] });

const context = (): CommandContext => ({
  signedIn: $authorization.get() !== null,
  codes: $codeSet.get(),
  paths: $permittedPaths.get(),
  viewContext: null,
  expert: true,
});

const postTo =
  (origin: string): Post =>
  async (path, body) => {
    const init = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(path, { method: 'POST', ...init }).catch(refuseUnreachable(origin));
    return { ok: response.ok, body: await response.json().catch(() => null) };
  };

/** Clock offset of a test environment, otherwise 0. */
async function aheadMs(): Promise<number> {
  const response = await fetch('/qa/state');
  const clockResponse = (await response.json().catch(() => null)) as { aheadMs?: number } | null;
  return clockResponse?.aheadMs ?? 0;
}
