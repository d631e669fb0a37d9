import { asc, gt } from 'drizzle-orm';
import type { MintClaim } from '../../api/authority/statements.ts';
import { differenceOf } from '../../api/custody/difference.ts';
import { freezesNow, isLiftedFreeze, judgeMint, type Judgement, type LedgerFreeze } from '../authority/judge.ts';
import { MemoryError, type Memory } from '../authority/memory.ts';
import { Log, LogError, type Authority } from '../authority/replay.ts';
import { authorityLines } from '../authority/tables.ts';
import { openFreezes } from '../custody/shared/freezes.ts';
import type { Mint, MintWork, NotPermitted } from '../deposits/mints.ts';
import type { Services } from '../platform/core/context.ts';
import { ClockError, type SignerClock } from './clock.ts';

// What the signer asks of the log. It reads every line itself, from the genesis that is pinned in its own configuration, and
// believes no row of the ledger: the mint it is offered must be, to the letter, what people signed for.

export interface Permits {
  /** What the log says now. Throws LogError or MemoryError where it is not to be believed, ClockError while the time is not. */
  authority(): Promise<Authority>;
  /** Remembers what the log and the ledger's freezes say now, whether or not a mint waits. Throws what it cannot read. */
  look(): Promise<void>;
  readonly permit: MintWork['permit'];
  readonly standstill: MintWork['standstill'];
  /** What people signed for this mint; null while they did not. Bitcoin is asked about this, not about the ledger's row. */
  claim(mint: Mint): Promise<MintClaim | null>;
}

interface PermitOptions {
  /** The hash that is pinned. */
  genesis: string;
  /** Whether a log of a development server is obeyed: on the devnet of this machine alone. */
  development: boolean;
  memory: Memory;
  clock: SignerClock;
}

/** Reads the log out of the database, and judges by it and by the signer's own record. */
export function openPermits(
  { database }: Pick<Services, 'database'>,
  { genesis, development, memory, clock }: PermitOptions,
): Permits {
  let known: Log | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** The log as it stands: read on from where it was; what does not fit changes nothing here. */
  async function read(): Promise<Authority> {
    const at = await clock.trustedNow();
    if (memory.correct(at)) known = null;
    const options = { genesis, now: () => at, timeOf: memory.timeOf(at) };
    let next = known?.fork(options) ?? new Log(options);
    const fresh = await database.db
      .select({ line: authorityLines.line })
      .from(authorityLines)
      .where(gt(authorityLines.number, next.head.number))
      .orderBy(asc(authorityLines.number));
    for (const { line } of fresh) await next.add(line);
    if (next.state().genesis.development && !development) throw new LogError(0, 'SOFTWARE');
    memory.see(next.state().hashes, at, next.head.at);
    if (!known) {
      // A record that has just begun knows only now which lines were vouched for: they count from when they say.
      next = new Log({ ...options, timeOf: memory.timeOf(at) });
      for (const { line } of fresh) await next.add(line);
    }
    known = next.commit();
    return known.state();
  }

  /** Freezes of the ledger that are open or were seen open: one that is gone without people's signatures stops as before. */
  async function freezes(said: Authority, now: number): Promise<LedgerFreeze[]> {
    const open = (await openFreezes(database.db)).map((freeze) => ({
      kind: freeze.kind,
      text: `${freeze.id} ${differenceOf(freeze)}`,
    }));
    const isLifted = (text: string) => isLiftedFreeze(said, ledgerFreeze(text), now);
    return memory.seeFreezes(open, isLifted).map(ledgerFreeze);
  }

  /** One after the other. */
  function authority(): Promise<Authority> {
    const reading = turn.then(read);
    turn = reading.catch(() => null);
    return reading;
  }

  /** What is found where the log and the signer's own record are to be believed. */
  async function believing<T>(
    find: (authority: Authority, now: number) => Promise<T>,
  ): Promise<T | { refusal: 'LOG' | 'CLOCK'; details: string }> {
    try {
      const found = await authority();
      return await find(found, await clock.trustedNow());
    } catch (error) {
      if (error instanceof LogError || error instanceof MemoryError) return { refusal: 'LOG', details: error.message };
      if (error instanceof ClockError) return { refusal: 'CLOCK', details: error.message };
      throw error;
    }
  }

  const judge = (mint: Mint) =>
    believing(async (said, now): Promise<Judgement & { now: number }> => ({
      ...judgeMint(said, { ...mint }, { now, signed: memory.signed, freezes: await freezes(said, now) }),
      now,
    }));

  return {
    authority,
    async look() {
      await freezes(await authority(), await clock.trustedNow());
    },
    async permit(mint, signing): Promise<NotPermitted | null> {
      const judgement = await judge(mint);
      if (judgement.refusal === null) {
        const { claim, now } = judgement;
        if (signing) memory.remember({ depositHash: mint.depositHash, satoshi: claim.satoshi, at: now });
        return null;
      }
      const { refusal: reason, details } = judgement;
      const until = reason === 'DELAY' && details !== null ? new Date(details) : null;
      return { reason, details, ...(until && { until }) };
    },
    async standstill() {
      const found = await believing(async (said, now) => freezesNow(said, { now, freezes: await freezes(said, now) }));
      if ('refusal' in found) return { reason: found.refusal, details: found.details };
      return found.length > 0 ? { reason: 'FROZEN', details: found.join(', ') } : null;
    },
    async claim(mint) {
      const judgement = await judge(mint);
      return judgement.refusal === null ? judgement.claim : null;
    },
  };
}

const ledgerFreeze = (text: string): LedgerFreeze => ({ id: text.slice(0, 36), difference: text.slice(37) });
