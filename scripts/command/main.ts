import { writeFile } from 'node:fs/promises';
import { describe } from '../../src/commands/app/describe.ts';
import { registry } from '../../src/commands/app/all.ts';
import type { Invocation } from '../../src/commands/engine/define.ts';
import { helpOf, parseLine, parseLogin, readParams, UsageError, type CommandArgs } from './args.ts';
import { readBatch } from './batch.ts';
import { coverage, coverageUsage } from './coverage.ts';
import { login, loginUsage, logout, whoami } from './login.ts';
import { beginSession } from './session.ts';
import { exitCodes, toFailedOutput, junitOf, type Exit, type CommandOutput } from './command-output.ts';

// Runs commands from a shell with the same checks as the panel: npm run -s command -- news.add --title … --link …
// JSON on stdout, messages on stderr.

const usage = `panel <command> [--target <id>[@<version>]]… [--<parameter> <value>]… [--confirm]
panel <command> --help    parameters of a command
panel --list              all commands
panel --batch <file|->    one JSON command per line: {"id": "news.show", "targets": ["…"], "confirm": true}. Stops at the first
                          failure unless --keep-going is set. Prints one JSON result per line.
--junit <file>            also write a JUnit report
${coverageUsage}
${loginUsage}

Set PANEL_URL, and PANEL_TOKEN to the token of a service account for scripts. A person runs panel login. In a demo, set PANEL_EMAIL
and PANEL_PASSWORD. Without PANEL_PASSWORD you are prompted for the password, or it is read from standard input with
--password-stdin. PANEL_TOTP: secret of the account’s authenticator app. PANEL_CODE: emailed code, if required.
Exit codes: ${Object.entries(exitCodes)
  .map(([meaning, code]) => `${code} ${meaning}`)
  .join(', ')}.`;

const printError = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (value: unknown, indent?: number): void => void process.stdout.write(`${JSON.stringify(value, null, indent)}\n`);

async function main(): Promise<Exit> {
  const [firstArgument, ...otherArguments] = process.argv.slice(2);
  if (firstArgument === 'coverage') return coverage(otherArguments, printError, print);
  if (firstArgument === 'login') return login(parseLogin(otherArguments), printError, print);
  if (firstArgument === 'logout') return logout(printError, print);
  if (firstArgument === 'whoami') return whoami(print);
  const commandArgs = parseLine(process.argv.slice(2));
  if (commandArgs.list) {
    for (const command of registry.all) {
      const { id, name } = await describe(command);
      process.stdout.write(`${id}\t${name.en}\t${name.zh}\n`);
    }
    return exitCodes.done;
  }
  if (commandArgs.batch !== null) {
    if (commandArgs.id !== null) throw new UsageError('--batch reads commands from the file, so don’t pass a command ID');
    if (commandArgs.batch === '-' && commandArgs.passwordFromInput)
      throw new UsageError('--batch - and --password-stdin can’t both read standard input');
    return runAll(await readBatch(commandArgs.batch), commandArgs, (output, index, id) =>
      print({ line: index + 1, id, ...output.json }),
    );
  }
  if (commandArgs.id === null) {
    printError(usage);
    return commandArgs.help ? exitCodes.done : exitCodes.usage;
  }
  const command = registry.get(commandArgs.id);
  if (!command) throw new UsageError(`unknown command ${commandArgs.id}. List commands with --list`);
  const sheet = await describe(command);
  if (commandArgs.help) {
    process.stdout.write(`${helpOf(sheet)}\n`);
    return exitCodes.done;
  }
  const invocation: Invocation = { id: command.id, params: await readParams(sheet, commandArgs.given, process.env) };
  if (commandArgs.targets.length > 0) invocation.targets = commandArgs.targets;
  if (commandArgs.confirm) invocation.confirm = true;
  return runAll([invocation], commandArgs, (output) => print(output.json, 2));
}

/** Returns the exit code of the first failure. */
async function runAll(
  invocations: readonly Invocation[],
  { passwordFromInput, keepGoing, junit }: CommandArgs,
  printProgress: (output: CommandOutput, index: number, id: string) => void,
): Promise<Exit> {
  const session = await beginSession(passwordFromInput, printError);
  const cases: { name: string; seconds: number; output: CommandOutput }[] = [];
  let isReportWritten = true;
  try {
    for (const [at, invocation] of invocations.entries()) {
      const startedAt = performance.now();
      const output = await session.run(invocation).catch(toFailedOutput);
      cases.push({ name: invocation.id, seconds: (performance.now() - startedAt) / 1000, output });
      printProgress(output, at, invocation.id);
      if (output.exit !== exitCodes.done && !keepGoing) break;
    }
  } finally {
    await session.end();
    if (junit !== null) isReportWritten = await writeReport(junit, cases);
  }
  return (
    cases.find(({ output }) => output.exit !== exitCodes.done)?.output.exit ??
    (isReportWritten ? exitCodes.done : exitCodes.failed)
  );
}

/** False if the report could not be written. Results are printed either way. */
const writeReport = (file: string, cases: Parameters<typeof junitOf>[0]): Promise<boolean> =>
  writeFile(file, junitOf(cases)).then(
    () => true,
    (error: Error) => {
      printError(`could not write the JUnit report ${file}: ${error.message}`);
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
    const { exit, json } = toFailedOutput(error);
    printError(String(json.message));
    print(json, 2);
    process.exitCode = exit;
  },
);
