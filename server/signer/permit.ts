import { asc, gt } from 'drizzle-orm';
import type { MintClaim } from '../../api/authority/statements.ts';
import { buildDifferenceKey } from '../../api/custody/difference.ts';
import { activeFreezes, isLiftedFreeze, checkMint, type MintVerdict, type LedgerFreeze } from '../authority/check-mint.ts';
import { SignerStateError, type SignerState } from '../authority/signer-state.ts';
import { AuthorityLog, LogError, type Authority } from '../authority/replay.ts';
import { authorityLines } from '../authority/tables.ts';
import { readOpenFreezes } from '../custody/shared/freezes.ts';
import type { Mint, MintContext, MintHalt } from '../mints/mints.ts';
import type { Services } from '../platform/services/context.ts';
import { ClockError, type SignerClock } from './clock.ts';

// Reads the log from the pinned genesis and trusts no row of the ledger: a mint must be exactly what people signed.

export interface SigningPermits {
  /** Throws LogError, SignerStateError or ClockError. */
  authority(): Promise<Authority>;
  /** Records the state of log and freezes, even without a mint. */
  look(): Promise<void>;
  readonly permit: MintContext['permit'];
  readonly readHalt: MintContext['readHalt'];
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
  let committedLog: AuthorityLog | null = null;
  let readQueue: Promise<unknown> = Promise.resolve();

  /** Reads new lines on a fork, so that an invalid one changes nothing. */
  async function readAuthority(): Promise<Authority> {
    const trustedTime = await clock.trustedNow();
    if (memory.correct(trustedTime)) committedLog = null;
    const options = { genesis, now: () => trustedTime, timeOf: memory.timeOf(trustedTime) };
    let nextLog = committedLog?.fork(options) ?? new AuthorityLog(options);
    const newLines = await database.db
      .select({ line: authorityLines.line })
      .from(authorityLines)
      .where(gt(authorityLines.number, nextLog.head.number))
      .orderBy(asc(authorityLines.number));
    for (const { line } of newLines) await nextLog.add(line);
    if (nextLog.state().genesis.development && !development) throw new LogError(0, 'SOFTWARE');
    memory.see(nextLog.state().hashes, trustedTime, nextLog.head.at);
    if (!committedLog) {
      // A new record learns only now which lines are vouched for, so it reads again with their own times.
      nextLog = new AuthorityLog({ ...options, timeOf: memory.timeOf(trustedTime) });
      for (const { line } of newLines) await nextLog.add(line);
    }
    committedLog = nextLog.commit();
    return committedLog.state();
  }

  /** Open or ever seen. One that disappears without signatures still applies. */
  async function readFreezes(authority: Authority, now: number): Promise<LedgerFreeze[]> {
    const openLedgerFreezes = (await readOpenFreezes(database.db)).map((freeze) => ({
      kind: freeze.kind,
      text: `${freeze.id} ${buildDifferenceKey(freeze)}`,
    }));
    const isLifted = (text: string) => isLiftedFreeze(authority, parseLedgerFreeze(text), now);
    return memory.seeFreezes(openLedgerFreezes, isLifted).map(parseLedgerFreeze);
  }

  /** One after the other. */
  function authority(): Promise<Authority> {
    const currentRead = readQueue.then(readAuthority);
    readQueue = currentRead.catch(() => null);
    return currentRead;
  }

  /** Maps errors of log, record and clock to a refusal. */
  async function withTrustedAuthority<T>(
    check: (authority: Authority, now: number) => Promise<T>,
  ): Promise<T | { refusal: 'LOG' | 'CLOCK'; details: string }> {
    try {
      const authorityState = await authority();
      return await check(authorityState, await clock.trustedNow());
    } catch (error) {
      if (error instanceof LogError || error instanceof SignerStateError) return { refusal: 'LOG', details: error.message };
      if (error instanceof ClockError) return { refusal: 'CLOCK', details: error.message };
      throw error;
    }
  }

  const judgeMint = (mint: Mint) =>
    withTrustedAuthority(async (authority, now): Promise<MintVerdict & { now: number }> => ({
      ...checkMint(authority, { ...mint }, { now, signed: memory.signed, freezes: await readFreezes(authority, now) }),
      now,
    }));

  return {
    authority,
    async look() {
      await readFreezes(await authority(), await clock.trustedNow());
    },
    async permit(mint, signing): Promise<MintHalt | null> {
      const verdict = await judgeMint(mint);
      if (verdict.refusal === null) {
        const { claim, now } = verdict;
        if (signing) memory.remember({ depositHash: mint.depositHash, satoshi: claim.satoshi, at: now });
        return null;
      }
      const { refusal: reason, details } = verdict;
      const retryAt = reason === 'DELAY' && details !== null ? new Date(details) : null;
      return { reason, details, ...(retryAt && { until: retryAt }) };
    },
    async readHalt() {
      const activeFreezeIds = await withTrustedAuthority(async (authority, now) =>
        activeFreezes(authority, { now, freezes: await readFreezes(authority, now) }),
      );
      if ('refusal' in activeFreezeIds) return { reason: activeFreezeIds.refusal, details: activeFreezeIds.details };
      return activeFreezeIds.length > 0 ? { reason: 'FROZEN', details: activeFreezeIds.join(', ') } : null;
    },
    async claim(mint) {
      const verdict = await judgeMint(mint);
      return verdict.refusal === null ? verdict.claim : null;
    },
  };
}

const parseLedgerFreeze = (text: string): LedgerFreeze => ({ id: text.slice(0, 36), difference: text.slice(37) });
