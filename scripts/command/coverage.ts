import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { registry } from '../../src/commands/app/all.ts';
import { UsageError } from './args.ts';
import { commandCoverage, type Coverage, type CoverageEntry, type CoverageWorker } from './coverage-entries.ts';
import { coveragePage } from './coverage-page.ts';
import { exitCodes, type Exit } from './command-output.ts';

export const coverageUsage = `panel coverage <report.json>…  command coverage of Playwright JSON reports: which commands ran, by account and surface
                          (--html <file> writes a table, --least <percent> exits with 1 below that coverage)`;

/** From the logs that the kit attached. Needs no panel. */
export async function coverage(
  argv: readonly string[],
  printLine: (line: string) => void,
  print: (value: unknown, indent?: number) => void,
): Promise<Exit> {
  const { files, html, least } = optionsOf(argv);
  const logs = (await Promise.all(files.map(logsOf))).flat();
  if (logs.length === 0) throw new UsageError('these reports contain no command log. Run the tests with @admin-panel/qa');
  const commandCoverageResult = commandCoverage(
    registry.all.map(({ id, permission }) => ({ id, permission })),
    logs,
  );
  print(commandCoverageResult, 2);
  for (const line of wordsOf(commandCoverageResult)) printLine(line);
  if (html !== undefined) await writeFile(html, coveragePage(commandCoverageResult));
  return commandCoverageResult.percent < least ? exitCodes.failed : exitCodes.done;
}

function optionsOf(argv: readonly string[]): { files: readonly string[]; html: string | undefined; least: number } {
  const options = { html: { type: 'string' }, least: { type: 'string' } } as const;
  try {
    const { positionals, values } = parseArgs({ args: [...argv], allowPositionals: true, options });
    if (positionals.length === 0) throw new Error('pass at least one report. Playwright writes one with --reporter=json');
    const { html, least = '0' } = values;
    if (!/^\d{1,3}(\.\d+)?$/.test(least)) throw new Error('--least must be a percentage');
    return { files: positionals, html, least: Number(least) };
  } catch (error) {
    throw new UsageError(`coverage: ${(error as Error).message}`);
  }
}

const wordsOf = ({ given, commands, percent, accounts }: Coverage): string[] => [
  `${given} of ${commands} commands covered (${percent}%)`,
  ...accounts.map(
    ({ email, offered, ran, refused }) => `  ${email}: ran ${ran} of ${offered} permitted commands, ${refused} refused`,
  ),
];

interface Attachment {
  name: string;
  body?: string;
  path?: string;
}
interface Suite {
  suites?: readonly Suite[];
  specs?: readonly { tests: readonly { results: readonly { attachments: readonly Attachment[] }[] }[] }[];
}

async function logsOf(file: string): Promise<{ entries: CoverageEntry[]; workers: CoverageWorker[] }[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`coverage: can’t read the file ${file}`);
  });
  let report: Suite;
  try {
    report = JSON.parse(text) as Suite;
  } catch {
    throw new UsageError(`coverage: ${file} isn’t valid JSON`);
  }
  const results = attachmentsIn(report);
  const logs = await Promise.all(
    results.map(async (attachments) => ({
      entries: ((await contentOf(attachments, 'commands.json')) ?? []) as CoverageEntry[],
      workers: ((await contentOf(attachments, 'accounts.json')) ?? []) as CoverageWorker[],
    })),
  );
  return logs.filter(({ entries }) => entries.length > 0);
}

const attachmentsIn = ({ suites = [], specs = [] }: Suite): (readonly Attachment[])[] => [
  ...specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ attachments }) => attachments))),
  ...suites.flatMap(attachmentsIn),
];

async function contentOf(attachments: readonly Attachment[], name: string): Promise<unknown> {
  const attachment = attachments.find((candidate) => candidate.name === name);
  if (attachment?.body !== undefined) return JSON.parse(Buffer.from(attachment.body, 'base64').toString());
  return attachment?.path === undefined ? null : JSON.parse(await readFile(attachment.path, 'utf8'));
}
