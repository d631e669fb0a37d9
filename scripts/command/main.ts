import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { registry } from '../../src/commands/app/all.ts';
import type { Context } from '../../src/commands/engine/assess.ts';
import type { Invocation } from '../../src/commands/engine/define.ts';
import type { CommandError } from '../../src/commands/engine/command-error.ts';
import { createDispatch, type Outcome } from '../../src/commands/engine/dispatch/dispatch.ts';
import { describe } from '../../src/commands/app/describe.ts';
import { loaders } from '../../src/commands/app/loaders.ts';
import { apiFor } from '../../src/lib/net/client.ts';
import { loadDictionary, loadResourceWords } from '../../src/lib/i18n/boot.ts';
import { $authorization, $codeSet, $permittedPaths, setAccess } from '../../src/lib/session/session.ts';
import { helpOf, parseLine, readParams, UsageError, type Asked } from './args.ts';
import { beBrowserOf, shellHost } from './host.ts';
import { accountIn, panelIn, placeOf, signIn, type Post } from './sign-in.ts';

// Runs one command of the panel from a shell, through the gate every other way of giving it goes through:
//   npm run -s command -- news.add --title … --link …
// The answer is JSON on stdout, words for people on stderr, and the exit code says what came of it.

const exits = { done: 0, failed: 1, usage: 2, refused: 3, conflict: 4, partly: 5 } as const;

const usage = `npm run -s command -- <command> [--target <id>[@<version>]]… [--<parameter> <value>]… [--confirm]
npm run -s command -- <command> --help    what it takes
npm run -s command -- --list              every command

PANEL_URL, PANEL_EMAIL and PANEL_PASSWORD say where and who; the password may come from the keyboard or, with --password-stdin,
from standard input. PANEL_TOTP: secret of the account's authenticator app. PANEL_CODE: code by mail, where one is asked for.
Exit: ${Object.entries(exits)
  .map(([what, code]) => `${code} ${what}`)
  .join(', ')}.`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

async function main(): Promise<number> {
  const asked = parseLine(process.argv.slice(2));
  if (asked.list) {
    for (const command of registry.all) {
      const { id, name } = await describe(command);
      process.stdout.write(`${id}\t${name.en}\t${name.zh}\n`);
    }
    return exits.done;
  }
  if (asked.id === null) {
    say(usage);
    return asked.help ? exits.done : exits.usage;
  }
  const command = registry.get(asked.id);
  if (!command) throw new UsageError(`there is no command ${asked.id}: --list names them`);
  const sheet = await describe(command);
  if (asked.help) {
    process.stdout.write(`${helpOf(sheet)}\n`);
    return exits.done;
  }
  const invocation: Invocation = { id: command.id, params: await readParams(sheet, asked.given, process.env) };
  if (asked.targets.length > 0) invocation.targets = asked.targets;
  if (asked.confirm) invocation.confirm = true;
  return told(await run(invocation, asked));
}

/** Signs in, runs it, signs out. */
async function run(invocation: Invocation, { passwordFromInput }: Asked): Promise<Outcome> {
  const origin = panelIn(process.env);
  const browser = beBrowserOf(origin);
  const password =
    process.env['PANEL_PASSWORD'] ?? (passwordFromInput ? (await text(process.stdin)).trimEnd() : await typedPassword());
  const account = accountIn({ ...process.env, PANEL_PASSWORD: password });
  const place = placeOf(origin, account.email, process.env);
  const known = place.read();
  if (known) browser.put(known);
  const { authorization, access } = await signIn(post, account);
  place.keep(browser.cookies());
  setAccess(access, authorization);
  await Promise.all([loadDictionary('en-US'), loadResourceWords('en-US')]);
  const host = shellHost(origin, say);
  const dispatch = createDispatch({
    registry,
    loadAll: async () => {},
    host,
    loaders: async () => loaders,
    context,
    freeze: () => [],
    apiFor,
  });
  const outcome = await dispatch(invocation, 'script');
  await host.saved();
  if ($authorization.get())
    await apiFor(null, null)
      .session.signOut()
      .catch(() => {});
  return outcome;
}

const context = (): Context => ({
  signedIn: $authorization.get() !== null,
  codes: $codeSet.get(),
  paths: $permittedPaths.get(),
  frame: null,
  expert: true,
});

const post: Post = async (path, body) => {
  const init = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, { method: 'POST', ...init });
  return { ok: answer.ok, body: await answer.json().catch(() => null) };
};

/** From the keyboard, unseen. */
async function typedPassword(): Promise<string> {
  if (!process.stdin.isTTY) return '';
  process.stderr.write('Password: ');
  const lines = createInterface({ input: process.stdin, terminal: true });
  const typed = await new Promise<string>((resolve) => lines.once('line', resolve));
  lines.close();
  process.stderr.write('\n');
  return typed;
}

function told(outcome: Outcome): number {
  if (outcome.status === 'done') {
    print(outcome);
    const { failed } = (outcome.result ?? {}) as { failed?: readonly unknown[] };
    return Array.isArray(failed) && failed.length > 0 ? exits.partly : exits.done;
  }
  if (outcome.status === 'cancelled') {
    print(outcome);
    return exits.failed;
  }
  const { code, message, issues } = outcome.error;
  print({ status: 'failed', code, message, ...(issues.length > 0 && { issues }) });
  return exitOf(outcome.error);
}

function exitOf({ code }: CommandError): number {
  if (code === 'INVALID' || code === 'UNKNOWN_COMMAND') return exits.usage;
  if (code === 'NOT_PERMITTED' || code === 'BLOCKED' || code === 'UNCONFIRMED') return exits.refused;
  return code === 'CONFLICT' ? exits.conflict : exits.failed;
}

main().then(
  (code) => void (process.exitCode = code),
  (error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof UsageError ? exits.usage : exits.failed;
  },
);
