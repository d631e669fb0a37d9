import { asc, gt } from 'drizzle-orm';
import type { MintClaim } from '../../api/authority/statements.ts';
import { hashOf } from '../../api/authority/canonical.ts';
import { judgeMint, type Judgement } from '../authority/judge.ts';
import { MemoryError, type Memory } from '../authority/memory.ts';
import { Log, LogError, type Authority } from '../authority/replay.ts';
import { authorityLines } from '../authority/tables.ts';
import type { Mint, MintWork, NotPermitted } from '../deposits/mints.ts';
import type { Services } from '../platform/core/context.ts';

// What the signer asks of the log. It reads every line itself, from the genesis that is pinned in its own configuration, and
// believes no row of the ledger: the mint it is offered must be, to the letter, what people signed for.

export interface Permits {
  readonly permit: MintWork['permit'];
  /** What people signed for this mint; null while they did not. Bitcoin is asked about this, not about the ledger's row. */
  claim(mint: Mint): Promise<MintClaim | null>;
}

/** Reads the log out of the database, and judges by it and by the signer's own record. */
export function openPermits(
  { database, now }: Pick<Services, 'database' | 'now'>,
  { genesis, production, memory }: { genesis: string; production: boolean; memory: Memory },
): Permits {
  const timeOf = (number: number) => (number === 0 ? 0 : memory.seenAt(number));
  let known = new Log({ genesis, timeOf });
  let hashes: string[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  /** The log as it stands: read on from where it was, each line checked before it is remembered. */
  async function read(): Promise<Authority> {
    const fresh = await database.db
      .select({ number: authorityLines.number, line: authorityLines.line })
      .from(authorityLines)
      .where(gt(authorityLines.number, known.head.number))
      .orderBy(asc(authorityLines.number));
    const lines: unknown[] = fresh.map(({ line }) => JSON.parse(line));
    const at = now();
    const first = hashes.length;
    const tried = known.copy({ genesis, timeOf: (number) => (number < first ? timeOf(number) : at) });
    for (const line of lines) await tried.add(line);
    const all = [...hashes, ...lines.map(hashOf)];
    memory.see(all, at);
    // Read again with the times that are kept: of a record from before this process they are older.
    const next = known.copy({ genesis, timeOf });
    for (const line of lines) await next.add(line);
    [known, hashes] = [next, all];
    const authority = next.state();
    if (production && authority.genesis.development) throw new LogError(0, 'SOFTWARE');
    return authority;
  }

  async function judge(mint: Mint): Promise<Judgement | { refusal: 'LOG'; details: string }> {
    const reading = turn.then(read);
    turn = reading.catch(() => null);
    try {
      const authority = await reading;
      return judgeMint(authority, { ...mint }, { now: now(), signed: memory.signed, freezes: [] });
    } catch (error) {
      if (error instanceof LogError || error instanceof MemoryError) return { refusal: 'LOG', details: error.message };
      throw error;
    }
  }

  return {
    async permit(mint, signing): Promise<NotPermitted | null> {
      const judgement = await judge(mint);
      if (judgement.refusal === null) {
        const { claim } = judgement;
        if (signing) memory.remember({ depositHash: mint.depositHash, satoshi: claim.satoshi, at: now() });
        return null;
      }
      const { refusal: reason, details } = judgement;
      const until = reason === 'DELAY' && details !== null ? new Date(details) : null;
      return { reason, details, ...(until && { until }) };
    },
    async claim(mint) {
      const judgement = await judge(mint);
      return judgement.refusal === null ? judgement.claim : null;
    },
  };
}
