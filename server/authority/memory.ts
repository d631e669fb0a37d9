import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { SignedMint } from './judge.ts';

// The signer's own record, in a file that nobody else writes: what it has seen of the log and what it has signed. Without it, who
// holds the database could cut the log's end off (a freeze, a removal), date lines back, or empty the count of a day.

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const record = z.strictObject({
  /** The genesis that is pinned. */
  genesis: hash(),
  /** Hash of each line, by its number, and when it was first seen: milliseconds. */
  lines: z.array(z.strictObject({ hash: hash(), seen: z.int() })),
  signed: z.array(z.strictObject({ depositHash: z.string(), satoshi: z.string(), at: z.int() })),
  /** Freezes of the ledger, by id, that were ever seen open. */
  freezes: z.array(z.string()),
});
type Record = z.infer<typeof record>;

/** Why the record and what is there do not go together. */
export type MemoryProblem = 'UNREADABLE' | 'OTHER_GENESIS' | 'TRUNCATED' | 'REWRITTEN';

export class MemoryError extends Error {
  override name = 'MemoryError';
  readonly problem: MemoryProblem;
  constructor(problem: MemoryProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

export interface Memory {
  /** Takes the lines of the log as they stand, oldest first, by hash. Throws MemoryError where it is not what was seen before, going on. */
  see(hashes: readonly string[], now: number): void;
  /** When a line was first seen. */
  seenAt(number: number): number;
  /** Keeps freezes of the ledger; what was seen open stays until the log lifts it. Answers all that were ever seen. */
  seeFreezes(ids: readonly string[]): readonly string[];
  readonly signed: readonly SignedMint[];
  /** Before a signature leaves: a deposit counts once, when it was first signed. */
  remember(mint: SignedMint): void;
}

/** Opens the record in `file`, or begins one. Throws MemoryError for one that is unreadable or of another genesis. */
export function openMemory(file: string, genesis: string): Memory {
  const known = existsSync(file) ? read(file) : null;
  if (known && known.genesis !== genesis)
    throw new MemoryError('OTHER_GENESIS', `${file} is the record of another genesis, ${known.genesis}`);
  const state: Record = known ?? { genesis, lines: [], signed: [], freezes: [] };
  if (!known) write(file, state);
  return {
    see(hashes, now) {
      if (hashes.length < state.lines.length)
        throw new MemoryError('TRUNCATED', `the log has ${hashes.length} lines, and ${state.lines.length} were seen`);
      const other = state.lines.findIndex((line, number) => hashes[number] !== line.hash);
      if (other !== -1) throw new MemoryError('REWRITTEN', `line ${other} of the log is another than was seen`);
      if (hashes.length === state.lines.length) return;
      const last = state.lines.at(-1)?.seen ?? 0; // a clock that goes back makes nothing older
      state.lines.push(...hashes.slice(state.lines.length).map((each) => ({ hash: each, seen: Math.max(now, last) })));
      write(file, state);
    },
    seenAt(number) {
      const line = state.lines[number];
      if (!line) throw new Error(`line ${number} was not seen`);
      return line.seen;
    },
    seeFreezes(ids) {
      const fresh = ids.filter((id) => !state.freezes.includes(id));
      if (fresh.length > 0) {
        state.freezes.push(...fresh);
        write(file, state);
      }
      return state.freezes;
    },
    get signed() {
      return state.signed;
    },
    remember(mint) {
      if (state.signed.some(({ depositHash }) => depositHash === mint.depositHash)) return;
      state.signed.push(mint);
      write(file, state);
    },
  };
}

function read(file: string): Record {
  try {
    return record.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new MemoryError('UNREADABLE', `${file} cannot be read as the signer's record: ${String(error).slice(0, 200)}`);
  }
}

/** Whole or not at all, also when the machine stops between two lines. */
function write(file: string, state: Record): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const next = join(folder, `.${process.pid}.next`);
  const handle = openSync(next, 'w', 0o600);
  try {
    writeSync(handle, JSON.stringify(state));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(next, file);
  const directory = openSync(folder, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
