import { signedReserve, type Reserve, type SignedReserve } from '../../../api/custody/reserve.ts';
import { reserveProofs } from '../../custody/tables.ts';
import type { Services } from '../../platform/services/context.ts';
import { redact } from '../../platform/core/redact.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { Authority } from '../authority.ts';
import { LogError } from '../replay.ts';
import { readAuthority } from '../store.ts';
import { calculateCoverage, checkReserveProof, maxProofAgeMs } from './reserve.ts';

/** Returns no figures that the minter did not sign. */
export async function readReserve(services: Services, queries: Queries): Promise<Reserve> {
  const emptyReserve = { signed: null, coverage: null, surplus: null, problem: null };
  const authority = services.config.evm ? await readAuthorityState(services, queries) : null;
  if (!authority) return { state: 'off', ...emptyReserve };
  const [row] = await queries.select().from(reserveProofs).limit(1);
  const problem =
    row?.problem && row.problemAt
      ? { reason: row.problem, details: row.details && redact(row.details), at: row.problemAt.toISOString() }
      : emptyReserve.problem;
  if (!row?.signed) return { state: 'none', ...emptyReserve, problem };
  const signedReserve = parseSignedReserve(row.signed);
  if (!signedReserve || authority === 'broken' || (await checkReserveProof(signedReserve, authority)) !== null)
    return { state: 'invalid', ...emptyReserve, problem };
  const { coverage, surplus } = calculateCoverage(signedReserve.report);
  const isOutdated = Math.abs(services.now() - Date.parse(signedReserve.report.at)) > maxProofAgeMs;
  return {
    state: surplus < 0n ? 'short' : isOutdated ? 'stale' : 'covered',
    signed: signedReserve,
    coverage: coverage === null ? null : coverage.toString(),
    surplus: surplus.toString(),
    problem,
  };
}

async function readAuthorityState(services: Services, queries: Queries): Promise<Authority | 'broken' | null> {
  try {
    return await readAuthority(services, queries);
  } catch (error) {
    if (error instanceof LogError) return 'broken';
    throw error;
  }
}

function parseSignedReserve(text: string): SignedReserve | null {
  try {
    return signedReserve.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
