import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { Hashes } from './authority.ts';
import type { SignedMint } from './judge.ts';
import { futureMs } from './replay.ts';

// The signer's own record, in a file that nobody else writes: what it has seen of the log and what it has signed. Without it, who
// holds the database could cut the log's end off (a freeze, a removal), date lines back, or empty the count of a day.

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const moment = () => z.int().check(z.minimum(0));
const record = z.strictObject({
  /** The genesis that is pinned. */
  genesis: hash(),
  /** The last line that was seen. Its hash stands for every line before it. */
  head: z.strictObject({ number: z.int().check(z.minimum(-1)), hash: z.union([hash(), z.literal('')]) }),
  /** From which line on lines were first seen when: milliseconds; 0: they were there when the record began, and somebody vouched for them. */
  seen: z.array(
    z.strictObject({
      from: z.int().check(z.minimum(0)),
      at: moment(),
      /** The time that the last of them says, and the hash of the line before the first. */
      said: moment(),
      after: z.union([hash(), z.literal('')]),
    }),
  ),
  signed: z.array(z.strictObject({ depositHash: z.string(), satoshi: z.string().check(z.regex(/^\d{1,16}$/)), at: moment() })),
  /** Freezes of the ledger that were seen open and that nobody has lifted since: one of each kind at most. */
  freezes: z.array(z.strictObject({ kind: z.enum(['difference', 'manual']), text: z.string() })),
});
type Record = z.infer<typeof record>;

/** Why the record and what is there do not go together. */
export type MemoryProblem = 'MISSING' | 'UNREADABLE' | 'OTHER_GENESIS' | 'TRUNCATED' | 'REWRITTEN' | 'TAKEN';

export class MemoryError extends Error {
  override name = 'MemoryError';
  readonly problem: MemoryProblem;
  constructor(problem: MemoryProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/** A freeze of the ledger: whether a person opened it, and what tells it from others. */
export type SeenFreeze = Record['freezes'][number];

/** `now` is always trusted time: whoever calls has compared the clock. */
export interface Memory {
  /**
   * Undoes what a clock that was ahead wrote down: times later than `now` become `now`, and lines that were dated later were never
   * seen. Answers whether there was any of it: a log that was read by such times is to be read from its start.
   */
  correct(now: number): boolean;
  /**
   * Takes the lines of the log as they stand, oldest first, by hash, at a time that is checked. `said`: the time that the last one
   * says. Throws MemoryError where the log is not what was seen before, going on.
   */
  see(hashes: Hashes, now: number, said?: number): void;
  /** When a line was first seen; 0 for those that were vouched for when the record began. */
  seenAt(number: number): number;
  /** From when a line counts, for `replay`: not before it was seen (if it was not: not before `now`), nor before the time it says itself. */
  timeOf(now: number): (number: number, at: number) => number;
  /**
   * Keeps a freeze of the ledger that is open, until the log lifts it: while one of its kind is kept, others are not, however many
   * somebody writes. Answers those that are open or kept.
   */
  seeFreezes(open: readonly SeenFreeze[], isLifted: (text: string) => boolean): readonly string[];
  readonly signed: readonly SignedMint[];
  /** Before a signature leaves: a deposit counts once, when it was first signed. */
  remember(mint: SignedMint): void;
}

export interface MemoryOptions {
  /** Whether a record that is not there is begun; else it was lost, and with it what is known of today's mints. */
  begin?: boolean;
  /** The hash of a line that people compared: when a record begins, the log up to it counts at the times it says. */
  trusted?: string;
}

/** Opens the record in `file`, or begins one. Throws MemoryError for one that is unreadable, of another genesis, or missing and not to be begun. */
export function openMemory(file: string, genesis: string, { begin = true, trusted }: MemoryOptions = {}): Memory {
  const there = existsSync(file) ? read(file) : null;
  const known = there?.state;
  let text = there?.text ?? null;
  if (!known && !begin)
    throw new MemoryError('MISSING', `${file} is missing. The signer creates a new record only with SIGNER_BEGIN=on`);
  if (known && known.genesis !== genesis)
    throw new MemoryError(
      'OTHER_GENESIS',
      `${file} is the record of another log (genesis ${known.genesis}). Check SIGNER_DIR and AUTHORITY_GENESIS`,
    );
  let state: Record = known ?? { genesis, head: { number: -1, hash: '' }, seen: [], signed: [], freezes: [] };
  /** What is not in the file is not known: a write that fails leaves everything as it was. */
  const keep = (next: Partial<Record>) => {
    // Who slept while another signer took over knows less than the file.
    if (text !== (existsSync(file) ? readFileSync(file, 'utf8') : null))
      throw new MemoryError('TAKEN', `another process changed ${file}. Run only one signer`);
    const whole = { ...state, ...next };
    const written = JSON.stringify(whole);
    write(file, written);
    [state, text] = [whole, written];
  };
  if (!known) keep({});
  const seen = (number: number) => state.seen.findLast(({ from }) => from <= number);
  return {
    correct(now) {
      const kept = state.seen.filter(({ said }) => said <= now + futureMs);
      const dropped = state.seen[kept.length];
      const isLate = dropped !== undefined || [...kept, ...state.signed].some(({ at }) => at > now + futureMs);
      if (!isLate) return false;
      const upToNow = <T extends { at: number }>(one: T): T => ({ ...one, at: Math.min(one.at, now) });
      const head = dropped ? { number: dropped.from - 1, hash: dropped.after } : state.head;
      keep({ head, seen: kept.map(upToNow), signed: state.signed.map(upToNow) });
      return true;
    },
    see(hashes, now, said = now) {
      const { head } = state;
      if (hashes.length <= head.number)
        throw new MemoryError(
          'TRUNCATED',
          `the log has ${hashes.length} of the ${head.number + 1} lines that the signer has seen. Lines are missing`,
        );
      if (head.number >= 0 && hashes.at(head.number) !== head.hash)
        throw new MemoryError(
          'REWRITTEN',
          `the log up to line ${head.number} differs from what the signer has seen. The log was rewritten`,
        );
      if (hashes.at(0) !== genesis)
        throw new MemoryError('OTHER_GENESIS', `the log begins with ${hashes.at(0) ?? 'nothing'}, not with AUTHORITY_GENESIS`);
      const last = hashes.at(-1);
      if (last === undefined || hashes.length === head.number + 1) return;
      const at = Math.max(now, state.seen.at(-1)?.at ?? 0); // a clock that goes back a little makes nothing older
      keep({ head: { number: hashes.length - 1, hash: last }, seen: [...state.seen, ...firstSeen(hashes, at, said)] });
    },
    seenAt(number) {
      const run = number <= state.head.number ? seen(number) : undefined;
      if (!run) throw new Error(`the signer has not seen line ${number}`);
      return run.at;
    },
    timeOf: (now) => (number, at) => Math.max(at, (number <= state.head.number ? seen(number)?.at : undefined) ?? now),
    seeFreezes(open, isLifted) {
      const kept = state.freezes.filter(({ text: known }) => !isLifted(known));
      for (const freeze of open) if (!isLifted(freeze.text) && !kept.some(({ kind }) => kind === freeze.kind)) kept.push(freeze);
      if (JSON.stringify(kept) !== JSON.stringify(state.freezes)) keep({ freezes: kept });
      return [...new Set([...kept, ...open].map(({ text: known }) => known))];
    },
    get signed() {
      return state.signed;
    },
    remember(mint) {
      const isKnown = state.signed.some(
        ({ depositHash, satoshi }) => depositHash === mint.depositHash && satoshi === mint.satoshi,
      );
      if (!isKnown) keep({ signed: [...state.signed, mint] });
    },
  };

  function firstSeen(hashes: Hashes, at: number, said: number): Record['seen'] {
    const { number, hash: after } = state.head;
    const from = number + 1;
    if (from > 0 || trusted === undefined) return [{ from, at, said, after }];
    const vouched = hashes.indexOf(trusted);
    if (vouched === -1)
      throw new MemoryError('TRUNCATED', `the log does not contain the line ${trusted} that SIGNER_TRUSTED_HEAD names`);
    const rest = { from: vouched + 1, at, said, after: trusted };
    return [{ from: 0, at: 0, said: 0, after: '' }, ...(vouched + 1 < hashes.length ? [rest] : [])];
  }
}

function read(file: string): { text: string; state: Record } {
  try {
    const text = readFileSync(file, 'utf8');
    return { text, state: record.parse(JSON.parse(text)) };
  } catch (error) {
    throw new MemoryError('UNREADABLE', `can’t read ${file} as the signer’s record: ${String(error).slice(0, 200)}`);
  }
}

/** Whole or not at all, also when the machine stops between two lines. */
function write(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const next = join(folder, `.${process.pid}.next`);
  const handle = openSync(next, 'w', 0o600);
  try {
    writeFileSync(handle, text);
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
