import { accountIn, panelIn, cookieStoreOf, signIn, SignInError, type Post } from '../../qa/kit/sign-in.ts';
import type { Access } from '../../api/access/session.ts';
import { registry } from '../../src/commands/app/all.ts';
import type { CommandContext } from '../../src/commands/engine/assess.ts';
import type { Invocation } from '../../src/commands/engine/define.ts';
import { createDispatch } from '../../src/commands/engine/dispatch/dispatch.ts';
import { loaders } from '../../src/commands/app/loaders.ts';
import { createApi } from '../../src/lib/net/client.ts';
import { loadDictionary, loadResourceTexts } from '../../src/lib/i18n/boot.ts';
import { $authorization, $codeSet, $permittedPaths, setAccess } from '../../src/lib/session/session.ts';
import { emulateBrowser, shellHost } from './host.ts';
import { readPassword } from './password.ts';
import { exitCodes, toFailedOutput, ShellError, toCommandOutput, type CommandOutput } from './command-output.ts';

export interface ShellSession {
  run(invocation: Invocation): Promise<CommandOutput>;
  end(): Promise<void>;
}

export async function beginSession(isPasswordFromInput: boolean, print: (line: string) => void): Promise<ShellSession> {
  const origin = panelIn(process.env);
  const browser = emulateBrowser(origin);
  const token = process.env['PANEL_TOKEN'];
  if (token) return openShell(origin, print, await readTokenAccess(origin, token));
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

/** No session is begun for a token, so there is nothing to end. */
async function openShell(
  origin: string,
  print: (line: string) => void,
  { access, authorization }: { access: Access; authorization: string },
  end: ShellSession['end'] = async () => {},
): Promise<ShellSession> {
  setAccess(access, authorization);
  await Promise.all([loadDictionary('en-US'), loadResourceTexts('en-US')]);
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
      const output = await toCommandOutput(await dispatch(invocation, 'script'), invocation.id);
      const [saveError] = await host.saved();
      return saveError && output.json.status === 'done' ? toFailedOutput(saveError) : output;
    },
    end,
  };
}

/** Permissions and scopes of a service token. Throws ShellError. */
async function readTokenAccess(origin: string, token: string): Promise<{ access: Access; authorization: string }> {
  const authorization = `Bearer ${token}`;
  const response = await fetch('/api/session', { headers: { authorization } }).catch(refuseUnreachable(origin));
  const body = (await response.json().catch(() => null)) as (Access & TokenRefusal) | null;
  if (response.ok && body) return { access: body, authorization };
  const reason = body?.data?.token ?? (response.status === 401 ? 'unknown' : String(response.status));
  throw new ShellError(
    body?.code ?? 'NOT_A_PANEL',
    exitCodes['not signed in'],
    `PANEL_TOKEN isn’t accepted by the panel at ${origin} (${reason})`,
  );
}

interface TokenRefusal {
  code?: string;
  data?: { token?: string };
}

const refuseUnreachable =
  (origin: string) =>
  (error: Error & { cause?: { code?: string } }): never => {
    const reason = error.cause?.code ?? error.message;
    throw new ShellError('UNREACHABLE', exitCodes.unreachable, `can’t reach the panel at ${origin} (${reason}). Check PANEL_URL`);
  };

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
