import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { LineHashes } from './authority.ts';
import type { SignedMint } from './check-mint.ts';
import { futureMs } from './replay.ts';

// The signer's private file of what it saw and signed. Without it, an attacker with the database could cut off the end of the
// log, backdate lines, or reset the daily limit.

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const timestamp = () => z.int().check(z.minimum(0));
const record = z.strictObject({
  genesis: hash(),
  /** The hash covers all lines before. */
  head: z.strictObject({ number: z.int().check(z.minimum(-1)), hash: z.union([hash(), z.literal('')]) }),
  /** When lines were first seen, in milliseconds. 0: before the record began, vouched for by people. */
  seen: z.array(
    z.strictObject({
      from: z.int().check(z.minimum(0)),
      at: timestamp(),
      /** `said`: time in the last line. `after`: hash of the line before the first. */
      said: timestamp(),
      after: z.union([hash(), z.literal('')]),
    }),
  ),
  signed: z.array(z.strictObject({ depositHash: z.string(), satoshi: z.string().check(z.regex(/^\d{1,16}$/)), at: timestamp() })),
  /** Seen open and not lifted, at most one per kind. */
  freezes: z.array(z.strictObject({ kind: z.enum(['difference', 'manual']), text: z.string() })),
});
type StoredState = z.infer<typeof record>;

export type SignerStateProblem = 'MISSING' | 'UNREADABLE' | 'OTHER_GENESIS' | 'TRUNCATED' | 'REWRITTEN' | 'TAKEN';

export class SignerStateError extends Error {
  override name = 'MemoryError';
  readonly problem: SignerStateProblem;
  constructor(problem: SignerStateProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

export type StoredFreeze = StoredState['freezes'][number];

/** `now` is trusted time: the caller has compared the clock. */
export interface SignerState {
  /**
   * Repairs times written by a clock that was ahead: later times become `now`, and lines seen later are forgotten. True: reread
   * the log from its start.
   */
  correct(now: number): boolean;
  /** Hashes oldest first, `logTime`: time in the last line. Throws SignerStateError unless they continue what was seen. */
  see(hashes: LineHashes, now: number, logTime?: number): void;
  /** 0 if vouched for at the beginning. */
  seenAt(number: number): number;
  /** When a line takes effect, for `replay`: never before it was seen, nor before its own time. */
  timeOf(now: number): (number: number, instant: number) => number;
  /**
   * Remembers an open freeze until the log lifts it, one per kind, so that the file stays small. Returns ids that are open or
   * remembered.
   */
  seeFreezes(openFreezes: readonly StoredFreeze[], isLifted: (text: string) => boolean): readonly string[];
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
  const storedFile = existsSync(file) ? readState(file) : null;
  const storedState = storedFile?.state;
  let text = storedFile?.text ?? null;
  if (!storedState && !begin)
    throw new SignerStateError('MISSING', `${file} is missing. The signer creates a new record only with SIGNER_BEGIN=on`);
  if (storedState && storedState.genesis !== genesis)
    throw new SignerStateError(
      'OTHER_GENESIS',
      `${file} is the record of another log (genesis ${storedState.genesis}). Check SIGNER_DIR and AUTHORITY_GENESIS`,
    );
  let state: StoredState = storedState ?? { genesis, head: { number: -1, hash: '' }, seen: [], signed: [], freezes: [] };
  /** Updates the state only after a successful write. */
  const saveState = (changes: Partial<StoredState>) => {
    // Another signer may have written while this one was suspended.
    if (text !== (existsSync(file) ? readFileSync(file, 'utf8') : null))
      throw new SignerStateError('TAKEN', `another process changed ${file}. Run only one signer`);
    const nextState = { ...state, ...changes };
    const nextText = JSON.stringify(nextState);
    writeAtomically(file, nextText);
    [state, text] = [nextState, nextText];
  };
  if (!storedState) saveState({});
  const findRun = (number: number) => state.seen.findLast(({ from }) => from <= number);
  return {
    correct(now) {
      const retainedRuns = state.seen.filter(({ said }) => said <= now + futureMs);
      const firstDroppedRun = state.seen[retainedRuns.length];
      const hasFutureTime =
        firstDroppedRun !== undefined || [...retainedRuns, ...state.signed].some(({ at }) => at > now + futureMs);
      if (!hasFutureTime) return false;
      const clampToNow = <T extends { at: number }>(entry: T): T => ({ ...entry, at: Math.min(entry.at, now) });
      const head = firstDroppedRun ? { number: firstDroppedRun.from - 1, hash: firstDroppedRun.after } : state.head;
      saveState({ head, seen: retainedRuns.map(clampToNow), signed: state.signed.map(clampToNow) });
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
      const lastHash = hashes.at(-1);
      if (lastHash === undefined || hashes.length === head.number + 1) return;
      const recordedAt = Math.max(now, state.seen.at(-1)?.at ?? 0); // a small step back of the clock makes nothing older
      saveState({
        head: { number: hashes.length - 1, hash: lastHash },
        seen: [...state.seen, ...createRuns(hashes, recordedAt, logTime)],
      });
    },
    seenAt(number) {
      const run = number <= state.head.number ? findRun(number) : undefined;
      if (!run) throw new Error(`the signer has not seen line ${number}`);
      return run.at;
    },
    timeOf: (now) => (number, instant) =>
      Math.max(instant, (number <= state.head.number ? findRun(number)?.at : undefined) ?? now),
    seeFreezes(openFreezes, isLifted) {
      const retainedFreezes = state.freezes.filter(({ text: freezeText }) => !isLifted(freezeText));
      for (const freeze of openFreezes)
        if (!isLifted(freeze.text) && !retainedFreezes.some(({ kind }) => kind === freeze.kind)) retainedFreezes.push(freeze);
      if (JSON.stringify(retainedFreezes) !== JSON.stringify(state.freezes)) saveState({ freezes: retainedFreezes });
      return [...new Set([...retainedFreezes, ...openFreezes].map(({ text: freezeText }) => freezeText))];
    },
    get signed() {
      return state.signed;
    },
    remember(mint) {
      const isKnown = state.signed.some(
        ({ depositHash, satoshi }) => depositHash === mint.depositHash && satoshi === mint.satoshi,
      );
      if (!isKnown) saveState({ signed: [...state.signed, mint] });
    },
  };

  function createRuns(hashes: LineHashes, instant: number, logTime: number): StoredState['seen'] {
    const { number, hash: lastSeenHash } = state.head;
    const from = number + 1;
    if (from > 0 || trusted === undefined) return [{ from, at: instant, said: logTime, after: lastSeenHash }];
    const trustedIndex = hashes.indexOf(trusted);
    if (trustedIndex === -1)
      throw new SignerStateError('TRUNCATED', `the log does not contain the line ${trusted} that SIGNER_TRUSTED_HEAD names`);
    const laterRun = { from: trustedIndex + 1, at: instant, said: logTime, after: trusted };
    return [{ from: 0, at: 0, said: 0, after: '' }, ...(trustedIndex + 1 < hashes.length ? [laterRun] : [])];
  }
}

function readState(file: string): { text: string; state: StoredState } {
  try {
    const text = readFileSync(file, 'utf8');
    return { text, state: record.parse(JSON.parse(text)) };
  } catch (error) {
    throw new SignerStateError('UNREADABLE', `can’t read ${file} as the signer’s record: ${String(error).slice(0, 200)}`);
  }
}

/** Atomic, even across a crash. */
function writeAtomically(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporaryFile = join(folder, `.${process.pid}.next`);
  const handle = openSync(temporaryFile, 'w', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporaryFile, file);
  const directory = openSync(folder, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
