import { signedReserve, type Reserve, type SignedReserve } from '../../../api/custody/reserve.ts';
import { reserveProofs } from '../../custody/tables.ts';
import type { Services } from '../../platform/services/context.ts';
import { redact } from '../../platform/core/redact.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { Authority } from '../authority.ts';
import { LogError } from '../replay.ts';
import { readAuthority } from '../store.ts';
import { coverageOf, reserveRefusal, staleMs } from './reserve.ts';

/** Returns no figures that the minter did not sign. */
export async function readReserve(services: Services, queries: Queries): Promise<Reserve> {
  const nothing = { signed: null, coverage: null, surplus: null, problem: null };
  const authority = services.config.evm ? await authorityOf(services, queries) : null;
  if (!authority) return { state: 'off', ...nothing };
  const [row] = await queries.select().from(reserveProofs).limit(1);
  const problem =
    row?.problem && row.problemAt
      ? { reason: row.problem, details: row.details && redact(row.details), at: row.problemAt.toISOString() }
      : nothing.problem;
  if (!row?.signed) return { state: 'none', ...nothing, problem };
  const signed = parse(row.signed);
  if (!signed || authority === 'broken' || (await reserveRefusal(signed, authority)) !== null)
    return { state: 'invalid', ...nothing, problem };
  const { coverage, surplus } = coverageOf(signed.report);
  const isStale = Math.abs(services.now() - Date.parse(signed.report.at)) > staleMs;
  return {
    state: surplus < 0n ? 'short' : isStale ? 'stale' : 'covered',
    signed,
    coverage: coverage === null ? null : coverage.toString(),
    surplus: surplus.toString(),
    problem,
  };
}

async function authorityOf(services: Services, queries: Queries): Promise<Authority | 'broken' | null> {
  try {
    return await readAuthority(services, queries);
  } catch (error) {
    if (error instanceof LogError) return 'broken';
    throw error;
  }
}

function parse(text: string): SignedReserve | null {
  try {
    return signedReserve.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
