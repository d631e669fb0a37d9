import { writeFile } from 'node:fs/promises';
import { describe } from '../../src/commands/app/describe.ts';
import { registry } from '../../src/commands/app/all.ts';
import type { Invocation } from '../../src/commands/engine/define.ts';
import { helpOf, parseLine, readParams, UsageError, type CommandArgs } from './args.ts';
import { readBatch } from './batch.ts';
import { coverage, coverageUsage } from './coverage.ts';
import { beginSession } from './session.ts';
import { exits, failedOf, junitOf, type Exit, type CommandOutput } from './command-output.ts';

// Runs commands from a shell with the same checks as the panel: npm run -s command -- news.add --title … --link …
// JSON on stdout, messages on stderr.

const usage = `panel <command> [--target <id>[@<version>]]… [--<parameter> <value>]… [--confirm]
panel <command> --help    parameters of a command
panel --list              all commands
panel --batch <file|->    one JSON command per line: {"id": "news.show", "targets": ["…"], "confirm": true}. Stops at the first
                          failure unless --keep-going is set. Prints one JSON result per line.
--junit <file>            also write a JUnit report
${coverageUsage}

Set PANEL_URL, PANEL_EMAIL and PANEL_PASSWORD. Without PANEL_PASSWORD you are prompted for the password, or it is read from
standard input with --password-stdin. PANEL_TOTP: secret of the account’s authenticator app. PANEL_CODE: emailed code, if required.
Exit codes: ${Object.entries(exits)
  .map(([what, code]) => `${code} ${what}`)
  .join(', ')}.`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (value: unknown, indent?: number): void => void process.stdout.write(`${JSON.stringify(value, null, indent)}\n`);

async function main(): Promise<Exit> {
  const [first, ...rest] = process.argv.slice(2);
  if (first === 'coverage') return coverage(rest, say, print);
  const requested = parseLine(process.argv.slice(2));
  if (requested.list) {
    for (const command of registry.all) {
      const { id, name } = await describe(command);
      process.stdout.write(`${id}\t${name.en}\t${name.zh}\n`);
    }
    return exits.done;
  }
  if (requested.batch !== null) {
    if (requested.id !== null) throw new UsageError('--batch reads commands from the file, so don’t pass a command ID');
    if (requested.batch === '-' && requested.passwordFromInput)
      throw new UsageError('--batch - and --password-stdin can’t both read standard input');
    return runAll(await readBatch(requested.batch), requested, (output, at, id) => print({ line: at + 1, id, ...output.json }));
  }
  if (requested.id === null) {
    say(usage);
    return requested.help ? exits.done : exits.usage;
  }
  const command = registry.get(requested.id);
  if (!command) throw new UsageError(`unknown command ${requested.id}. List commands with --list`);
  const sheet = await describe(command);
  if (requested.help) {
    process.stdout.write(`${helpOf(sheet)}\n`);
    return exits.done;
  }
  const invocation: Invocation = { id: command.id, params: await readParams(sheet, requested.given, process.env) };
  if (requested.targets.length > 0) invocation.targets = requested.targets;
  if (requested.confirm) invocation.confirm = true;
  return runAll([invocation], requested, (output) => print(output.json, 2));
}

/** Returns the exit code of the first failure. */
async function runAll(
  invocations: readonly Invocation[],
  { passwordFromInput, keepGoing, junit }: CommandArgs,
  tell: (output: CommandOutput, at: number, id: string) => void,
): Promise<Exit> {
  const session = await beginSession(passwordFromInput, say);
  const cases: { name: string; seconds: number; output: CommandOutput }[] = [];
  let isReported = true;
  try {
    for (const [at, invocation] of invocations.entries()) {
      const began = performance.now();
      const output = await session.run(invocation).catch(failedOf);
      cases.push({ name: invocation.id, seconds: (performance.now() - began) / 1000, output });
      tell(output, at, invocation.id);
      if (output.exit !== exits.done && !keepGoing) break;
    }
  } finally {
    await session.end();
    if (junit !== null) isReported = await report(junit, cases);
  }
  return cases.find(({ output }) => output.exit !== exits.done)?.output.exit ?? (isReported ? exits.done : exits.failed);
}

/** False if the report could not be written. Results are printed either way. */
const report = (file: string, cases: Parameters<typeof junitOf>[0]): Promise<boolean> =>
  writeFile(file, junitOf(cases)).then(
    () => true,
    (error: Error) => {
      say(`could not write the JUnit report ${file}: ${error.message}`);
      return false;
    },
  );

// A closed pipe (| head) stops no command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

main().then(
  (code) => void (process.exitCode = code),
  (error: unknown) => {
    const { exit, json } = failedOf(error);
    say(String(json.message));
    print(json, 2);
    process.exitCode = exit;
  },
);
