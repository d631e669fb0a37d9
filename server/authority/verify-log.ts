import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { canonicalHash } from '../../api/authority/canonical.ts';
import { logProblemTexts, formatState, formatStatements } from './report.ts';
import { AuthorityLog, LogError } from './replay.ts';
import { verifyReserve } from './verify-reserve.ts';

const usageText = (
  command: string,
  database: boolean,
) => `${command} [--file log.jsonl] [--genesis HASH] [--head HASH] [--reserve reserve.json]${database ? ' [--export log.jsonl]' : ''}

Checks every line of the authority log and shows who signed what. The check uses no network${database ? '' : ' and no database'}.
  --file     the exported log, one JSON line per log line${database ? ' (default: the panel’s database, from DATABASE_URL or its own)' : ' (required)'}
  --genesis  the pinned hash of the first line (default: AUTHORITY_GENESIS). Without it, the result is only as trustworthy as the file
  --head     the hash of a line that the log must contain, from an independent source. Detects a log that was cut off
  --reserve  a response of /public/reserve. Checks that the minter in this log signed it and that it covers the supply${database ? '\n  --export   also writes the log to a file, so that others can check it' : ''}
Exit code: 0 if every line is valid and the reserve covers the supply, 1 if not, 2 if the log can’t be read.`;

/** A user error, reported in one line. */
class UsageError extends Error {}

export interface VerifyOptions {
  readonly command: string;
  /** Null: only files. */
  readonly fromDatabase: (() => Promise<readonly string[]>) | null;
  readonly say?: (line: string) => void;
  readonly complain?: (line: string) => void;
  readonly now?: number;
}

export async function verifyLog(
  args: readonly string[],
  { command, fromDatabase, say = console.log, complain = console.error, now = Date.now() }: VerifyOptions,
): Promise<number> {
  try {
    const options = {
      file: { type: 'string' },
      genesis: { type: 'string' },
      head: { type: 'string' },
      reserve: { type: 'string' },
      export: { type: 'string' },
      help: { type: 'boolean' },
    } as const;
    const { values } = parseArgs({ args: [...args], options });
    if (values.help || (values.file === undefined && !fromDatabase)) {
      say(usageText(command, fromDatabase !== null));
      return values.help ? 0 : 2;
    }
    for (const name of ['genesis', 'head'] as const)
      if (values[name] !== undefined && !/^[0-9a-f]{64}$/.test(values[name]))
        throw new UsageError(`--${name} must be 64 lowercase hexadecimal digits`);
    const lines = values.file === undefined ? await (fromDatabase?.() ?? []) : readLines(values.file);
    if (values.export !== undefined) writeFileSync(values.export, lines.map((line) => `${line}\n`).join(''));
    const reserve = values.reserve === undefined ? undefined : readFileSync(values.reserve, 'utf8');
    const genesis = values.genesis ?? process.env['AUTHORITY_GENESIS'];
    return await checkLog(lines, { genesis, head: values.head, reserve, say, now });
  } catch (error) {
    const isExpectedError =
      error instanceof UsageError ||
      (error instanceof Error && ('code' in error || error.name === 'StartError' || error.name === 'ConfigError'));
    complain(
      isExpectedError || !(error instanceof Error)
        ? String(error instanceof Error ? error.message : error)
        : (error.stack ?? error.message),
    );
    return 2;
  }
}

interface CheckInput {
  genesis: string | undefined;
  head: string | undefined;
  reserve: string | undefined;
  say: (line: string) => void;
  now: number;
}

async function checkLog(lines: readonly string[], { genesis, head, reserve, say, now }: CheckInput): Promise<number> {
  const pinnedGenesis = genesis ?? hashOfFirstLine(lines);
  const log = new AuthorityLog({ genesis: pinnedGenesis, now: () => now });
  let firstError: LogError | null = null;
  for (const line of lines) {
    try {
      // A fork, so that an invalid line leaves no state.
      const nextLog = log.fork();
      await nextLog.add(line);
      nextLog.commit();
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      firstError = error;
      break;
    }
  }
  if (lines.length === 0) firstError = new LogError(0, 'GENESIS');
  if (log.head.number >= 0) {
    const authority = log.state();
    for (const line of formatStatements(authority)) say(line);
    say('');
    for (const line of formatState(authority, now)) say(line);
    say('');
  }
  if (genesis === undefined && pinnedGenesis !== '')
    say(`note: no genesis was given. This log begins with ${pinnedGenesis}. Compare that hash with the pinned one.`);
  if (firstError) {
    say(
      `FOUND: line ${firstError.line} is invalid: ${logProblemTexts[firstError.problem]} (${firstError.problem}). The lines from there on were not read.`,
    );
    return 1;
  }
  if (head !== undefined && log.hashes.indexOf(head) === -1) {
    say(`FOUND: the log ends with line ${log.head.number} and doesn’t contain ${head}. Lines are missing.`);
    return 1;
  }
  say(lines.length === 1 ? 'The only line is valid.' : `All ${lines.length} lines are valid.`);
  if (reserve === undefined) return 0;
  say('');
  return (await verifyReserve(reserve, { lines, genesis: pinnedGenesis, say, now })) ? 0 : 1;
}

function hashOfFirstLine([firstLine]: readonly string[]): string {
  try {
    return firstLine === undefined ? '' : canonicalHash(JSON.parse(firstLine));
  } catch {
    return '';
  }
}

function readLines(file: string): string[] {
  const bytes = readFileSync(file);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const lines = text.split('\n');
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  } catch {
    throw new UsageError(`${file} isn’t UTF-8 text`);
  }
}
