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
  const account = accountIn({ ...process.env, PANEL_PASSWORD: await readPassword(isPasswordFromInput) });
  const cookieStore = cookieStoreOf(origin, account.email, process.env);
  const storedCookie = cookieStore.read();
  if (storedCookie) browser.put(storedCookie);
  const { authorization, access } = await signIn(postTo(origin), account, aheadMs).catch((error: unknown) => {
    throw error instanceof SignInError ? new ShellError(error.code, exitCodes['not signed in'], error.message) : error;
  });
  cookieStore.keep(browser.cookies());
  setAccess(access as Access, authorization);
  await Promise.all([loadDictionary('en-US'), loadResourceTexts('en-US')]);
  const host = shellHost(origin, print);
  const dispatch = createDispatch({
    registry,
    loadAll: async () => {},
    host,
    loaders: async () => loaders,
    context,
    freeze: () => [],
    person: () => account.email,
    apiFor: createApi,
  });
  return {
    async run(invocation) {
      const output = await toCommandOutput(await dispatch(invocation, 'script'), invocation.id);
      const [saveError] = await host.saved();
      return saveError && output.json.status === 'done' ? toFailedOutput(saveError) : output;
    },
    async end() {
      if (!$authorization.get()) return;
      await createApi(null, null)
        .session.signOut()
        .catch(() => {});
    },
  };
}

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
    const response = await fetch(path, { method: 'POST', ...init }).catch((error: Error & { cause?: { code?: string } }) => {
      const reason = error.cause?.code ?? error.message;
      throw new ShellError(
        'UNREACHABLE',
        exitCodes.unreachable,
        `can’t reach the panel at ${origin} (${reason}). Check PANEL_URL`,
      );
    });
    return { ok: response.ok, body: await response.json().catch(() => null) };
  };

/** Clock offset of a test environment, otherwise 0. */
async function aheadMs(): Promise<number> {
  const response = await fetch('/qa/state');
  const clockResponse = (await response.json().catch(() => null)) as { aheadMs?: number } | null;
  return clockResponse?.aheadMs ?? 0;
}
