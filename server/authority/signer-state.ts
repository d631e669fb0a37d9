import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { Hashes } from './authority.ts';
import type { SignedMint } from './check-mint.ts';
import { futureMs } from './replay.ts';

// The signer's private file of what it saw and signed. Without it, an attacker with the database could cut off the end of the
// log, backdate lines, or reset the daily limit.

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const moment = () => z.int().check(z.minimum(0));
const record = z.strictObject({
  genesis: hash(),
  /** The hash covers all lines before. */
  head: z.strictObject({ number: z.int().check(z.minimum(-1)), hash: z.union([hash(), z.literal('')]) }),
  /** When lines were first seen, in milliseconds. 0: before the record began, vouched for by people. */
  seen: z.array(
    z.strictObject({
      from: z.int().check(z.minimum(0)),
      at: moment(),
      /** `said`: time in the last line. `before`: hash of the line before the first. */
      said: moment(),
      after: z.union([hash(), z.literal('')]),
    }),
  ),
  signed: z.array(z.strictObject({ depositHash: z.string(), satoshi: z.string().check(z.regex(/^\d{1,16}$/)), at: moment() })),
  /** Seen open and not lifted, at most one per kind. */
  freezes: z.array(z.strictObject({ kind: z.enum(['difference', 'manual']), text: z.string() })),
});
type Record = z.infer<typeof record>;

export type SignerStateProblem = 'MISSING' | 'UNREADABLE' | 'OTHER_GENESIS' | 'TRUNCATED' | 'REWRITTEN' | 'TAKEN';

export class SignerStateError extends Error {
  override name = 'MemoryError';
  readonly problem: SignerStateProblem;
  constructor(problem: SignerStateProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

export type StoredFreeze = Record['freezes'][number];

/** `now` is trusted time: the caller has compared the clock. */
export interface SignerState {
  /**
   * Repairs times written by a clock that was ahead: later times become `now`, and lines seen later are forgotten. True: reread
   * the log from its start.
   */
  correct(now: number): boolean;
  /** Hashes oldest first, `said`: time in the last line. Throws SignerStateError unless they continue what was seen. */
  see(hashes: Hashes, now: number, logTime?: number): void;
  /** 0 if vouched for at the beginning. */
  seenAt(number: number): number;
  /** When a line takes effect, for `replay`: never before it was seen, nor before its own time. */
  timeOf(now: number): (number: number, at: number) => number;
  /**
   * Remembers an open freeze until the log lifts it, one per kind, so that the file stays small. Returns ids that are open or
   * remembered.
   */
  seeFreezes(open: readonly StoredFreeze[], isLifted: (text: string) => boolean): readonly string[];
  readonly signed: readonly SignedMint[];
  /** Called before a signature leaves. The first signature of a deposit counts. */
  remember(mint: SignedMint): void;
}

export interface SignerStateOptions {
  /** False: a missing record means the count of today's mints was lost. */
  begin?: boolean;
  /** Hash of a line compared by people: at the beginning, lines up to it count from their own times. */
  trusted?: string;
}

/** Throws SignerStateError for an unreadable file, another genesis, or a missing record with `begin` false. */
export function openSignerState(file: string, genesis: string, { begin = true, trusted }: SignerStateOptions = {}): SignerState {
  const there = existsSync(file) ? read(file) : null;
  const known = there?.state;
  let text = there?.text ?? null;
  if (!known && !begin)
    throw new SignerStateError('MISSING', `${file} is missing. The signer creates a new record only with SIGNER_BEGIN=on`);
  if (known && known.genesis !== genesis)
    throw new SignerStateError(
      'OTHER_GENESIS',
      `${file} is the record of another log (genesis ${known.genesis}). Check SIGNER_DIR and AUTHORITY_GENESIS`,
    );
  let state: Record = known ?? { genesis, head: { number: -1, hash: '' }, seen: [], signed: [], freezes: [] };
  /** Updates the state only after a successful write. */
  const keep = (next: Partial<Record>) => {
    // Another signer may have written while this one was suspended.
    if (text !== (existsSync(file) ? readFileSync(file, 'utf8') : null))
      throw new SignerStateError('TAKEN', `another process changed ${file}. Run only one signer`);
    const whole = { ...state, ...next };
    const written = JSON.stringify(whole);
    write(file, written);
    [state, text] = [whole, written];
  };
  if (!known) keep({});
  const seen = (number: number) => state.seen.findLast(({ from }) => from <= number);
  return {
    correct(now) {
      const retained = state.seen.filter(({ said }) => said <= now + futureMs);
      const dropped = state.seen[retained.length];
      const isLate = dropped !== undefined || [...retained, ...state.signed].some(({ at }) => at > now + futureMs);
      if (!isLate) return false;
      const upToNow = <T extends { at: number }>(one: T): T => ({ ...one, at: Math.min(one.at, now) });
      const head = dropped ? { number: dropped.from - 1, hash: dropped.after } : state.head;
      keep({ head, seen: retained.map(upToNow), signed: state.signed.map(upToNow) });
      return true;
    },
    see(hashes, now, logTime = now) {
      const { head } = state;
      if (hashes.length <= head.number)
        throw new SignerStateError(
          'TRUNCATED',
          `the log has ${hashes.length} of the ${head.number + 1} lines that the signer has seen. Lines are missing`,
        );
      if (head.number >= 0 && hashes.at(head.number) !== head.hash)
        throw new SignerStateError(
          'REWRITTEN',
          `the log up to line ${head.number} differs from what the signer has seen. The log was rewritten`,
        );
      if (hashes.at(0) !== genesis)
        throw new SignerStateError(
          'OTHER_GENESIS',
          `the log begins with ${hashes.at(0) ?? 'nothing'}, not with AUTHORITY_GENESIS`,
        );
      const last = hashes.at(-1);
      if (last === undefined || hashes.length === head.number + 1) return;
      const at = Math.max(now, state.seen.at(-1)?.at ?? 0); // a small step back of the clock makes nothing older
      keep({ head: { number: hashes.length - 1, hash: last }, seen: [...state.seen, ...firstSeen(hashes, at, logTime)] });
    },
    seenAt(number) {
      const run = number <= state.head.number ? seen(number) : undefined;
      if (!run) throw new Error(`the signer has not seen line ${number}`);
      return run.at;
    },
    timeOf: (now) => (number, at) => Math.max(at, (number <= state.head.number ? seen(number)?.at : undefined) ?? now),
    seeFreezes(open, isLifted) {
      const retained = state.freezes.filter(({ text: known }) => !isLifted(known));
      for (const freeze of open)
        if (!isLifted(freeze.text) && !retained.some(({ kind }) => kind === freeze.kind)) retained.push(freeze);
      if (JSON.stringify(retained) !== JSON.stringify(state.freezes)) keep({ freezes: retained });
      return [...new Set([...retained, ...open].map(({ text: known }) => known))];
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

  function firstSeen(hashes: Hashes, at: number, logTime: number): Record['seen'] {
    const { number, hash: after } = state.head;
    const from = number + 1;
    if (from > 0 || trusted === undefined) return [{ from, at, said: logTime, after }];
    const vouched = hashes.indexOf(trusted);
    if (vouched === -1)
      throw new SignerStateError('TRUNCATED', `the log does not contain the line ${trusted} that SIGNER_TRUSTED_HEAD names`);
    const rest = { from: vouched + 1, at, said: logTime, after: trusted };
    return [{ from: 0, at: 0, said: 0, after: '' }, ...(vouched + 1 < hashes.length ? [rest] : [])];
  }
}

function read(file: string): { text: string; state: Record } {
  try {
    const text = readFileSync(file, 'utf8');
    return { text, state: record.parse(JSON.parse(text)) };
  } catch (error) {
    throw new SignerStateError('UNREADABLE', `can’t read ${file} as the signer’s record: ${String(error).slice(0, 200)}`);
  }
}

/** Atomic, even across a crash. */
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
