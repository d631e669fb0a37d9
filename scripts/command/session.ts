import { accountIn, panelIn, placeOf, signIn, SignInError, type Post } from '../../qa/kit/sign-in.ts';
import type { Access } from '../../api/access/session.ts';
import { registry } from '../../src/commands/app/all.ts';
import type { CommandContext } from '../../src/commands/engine/assess.ts';
import type { Invocation } from '../../src/commands/engine/define.ts';
import { createDispatch } from '../../src/commands/engine/dispatch/dispatch.ts';
import { loaders } from '../../src/commands/app/loaders.ts';
import { apiFor } from '../../src/lib/net/client.ts';
import { loadDictionary, loadResourceWords } from '../../src/lib/i18n/boot.ts';
import { $authorization, $codeSet, $permittedPaths, setAccess } from '../../src/lib/session/session.ts';
import { beBrowserOf, shellHost } from './host.ts';
import { passwordOf } from './password.ts';
import { exitCodes, failedOf, ShellError, toCommandOutput, type CommandOutput } from './command-output.ts';

export interface ShellSession {
  run(invocation: Invocation): Promise<CommandOutput>;
  end(): Promise<void>;
}

export async function beginSession(passwordFromInput: boolean, print: (line: string) => void): Promise<ShellSession> {
  const origin = panelIn(process.env);
  const browser = beBrowserOf(origin);
  const account = accountIn({ ...process.env, PANEL_PASSWORD: await passwordOf(passwordFromInput) });
  const urlPath = placeOf(origin, account.email, process.env);
  const known = urlPath.read();
  if (known) browser.put(known);
  const { authorization, access } = await signIn(postTo(origin), account, aheadMs).catch((error: unknown) => {
    throw error instanceof SignInError ? new ShellError(error.code, exitCodes['not signed in'], error.message) : error;
  });
  urlPath.keep(browser.cookies());
  setAccess(access as Access, authorization);
  await Promise.all([loadDictionary('en-US'), loadResourceWords('en-US')]);
  const host = shellHost(origin, print);
  const dispatch = createDispatch({
    registry,
    loadAll: async () => {},
    host,
    loaders: async () => loaders,
    context,
    freeze: () => [],
    person: () => account.email,
    apiFor,
  });
  return {
    async run(invocation) {
      const output = await toCommandOutput(await dispatch(invocation, 'script'), invocation.id);
      const [unsaved] = await host.saved();
      return unsaved && output.json.status === 'done' ? failedOf(unsaved) : output;
    },
    async end() {
      if (!$authorization.get()) return;
      await apiFor(null, null)
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
  const printed = (await response.json().catch(() => null)) as { aheadMs?: number } | null;
  return printed?.aheadMs ?? 0;
}
