import { asc, gt } from 'drizzle-orm';
import type { MintClaim } from '../../api/authority/statements.ts';
import { differenceOf } from '../../api/custody/difference.ts';
import { activeFreezes, isLiftedFreeze, checkMint, type MintVerdict, type LedgerFreeze } from '../authority/check-mint.ts';
import { SignerStateError, type SignerState } from '../authority/signer-state.ts';
import { AuthorityLog, LogError, type Authority } from '../authority/replay.ts';
import { authorityLines } from '../authority/tables.ts';
import { openFreezes } from '../custody/shared/freezes.ts';
import type { Mint, MintWork, MintHalt } from '../mints/mints.ts';
import type { Services } from '../platform/services/context.ts';
import { ClockError, type SignerClock } from './clock.ts';

// Reads the log from the pinned genesis and trusts no row of the ledger: a mint must be exactly what people signed.

export interface SigningPermits {
  /** Throws LogError, SignerStateError or ClockError. */
  authority(): Promise<Authority>;
  /** Records the state of log and freezes, even without a mint. */
  look(): Promise<void>;
  readonly permit: MintWork['permit'];
  readonly standstill: MintWork['standstill'];
  /** The signed claim, which is checked on Bitcoin instead of the ledger's row. Null: not signed. */
  claim(mint: Mint): Promise<MintClaim | null>;
}

interface PermitOptions {
  genesis: string;
  /** Accepts a development log, on this machine's devnet only. */
  development: boolean;
  memory: SignerState;
  clock: SignerClock;
}

export function openSigningPermits(
  { database }: Pick<Services, 'database'>,
  { genesis, development, memory, clock }: PermitOptions,
): SigningPermits {
  let known: AuthorityLog | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** Reads new lines on a fork, so that an invalid one changes nothing. */
  async function read(): Promise<Authority> {
    const at = await clock.trustedNow();
    if (memory.correct(at)) known = null;
    const options = { genesis, now: () => at, timeOf: memory.timeOf(at) };
    let next = known?.fork(options) ?? new AuthorityLog(options);
    const newLines = await database.db
      .select({ line: authorityLines.line })
      .from(authorityLines)
      .where(gt(authorityLines.number, next.head.number))
      .orderBy(asc(authorityLines.number));
    for (const { line } of newLines) await next.add(line);
    if (next.state().genesis.development && !development) throw new LogError(0, 'SOFTWARE');
    memory.see(next.state().hashes, at, next.head.at);
    if (!known) {
      // A new record learns only now which lines are vouched for, so it reads again with their own times.
      next = new AuthorityLog({ ...options, timeOf: memory.timeOf(at) });
      for (const { line } of newLines) await next.add(line);
    }
    known = next.commit();
    return known.state();
  }

  /** Open or ever seen. One that disappears without signatures still applies. */
  async function freezes(authority: Authority, now: number): Promise<LedgerFreeze[]> {
    const open = (await openFreezes(database.db)).map((freeze) => ({
      kind: freeze.kind,
      text: `${freeze.id} ${differenceOf(freeze)}`,
    }));
    const isLifted = (text: string) => isLiftedFreeze(authority, ledgerFreeze(text), now);
    return memory.seeFreezes(open, isLifted).map(ledgerFreeze);
  }

  /** One after the other. */
  function authority(): Promise<Authority> {
    const reading = turn.then(read);
    turn = reading.catch(() => null);
    return reading;
  }

  /** Maps errors of log, record and clock to a refusal. */
  async function believing<T>(
    find: (authority: Authority, now: number) => Promise<T>,
  ): Promise<T | { refusal: 'LOG' | 'CLOCK'; details: string }> {
    try {
      const found = await authority();
      return await find(found, await clock.trustedNow());
    } catch (error) {
      if (error instanceof LogError || error instanceof SignerStateError) return { refusal: 'LOG', details: error.message };
      if (error instanceof ClockError) return { refusal: 'CLOCK', details: error.message };
      throw error;
    }
  }

  const judge = (mint: Mint) =>
    believing(async (authority, now): Promise<MintVerdict & { now: number }> => ({
      ...checkMint(authority, { ...mint }, { now, signed: memory.signed, freezes: await freezes(authority, now) }),
      now,
    }));

  return {
    authority,
    async look() {
      await freezes(await authority(), await clock.trustedNow());
    },
    async permit(mint, signing): Promise<MintHalt | null> {
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
      const found = await believing(async (authority, now) =>
        activeFreezes(authority, { now, freezes: await freezes(authority, now) }),
      );
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
