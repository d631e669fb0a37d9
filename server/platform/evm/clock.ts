import { toSafeInteger } from '../../../api/integers.ts';
import { memoizePerServer, type Services } from '../services/context.ts';

/** Milliseconds. */
const chainSkewOf = memoizePerServer(() => ({ ms: 0 }));
/** Normal age of a block. */
const expectedSkewMs = 60_000;

/** Unix seconds. */
export function setChainTime(services: Services, seconds: bigint): void {
  const offsetMs = toDate(seconds).getTime() - services.now();
  chainSkewOf(services).ms = offsetMs < expectedSkewMs && offsetMs > -expectedSkewMs ? 0 : offsetMs;
}

export const toServerTime = (services: Services, time: Date): string =>
  new Date(time.getTime() - chainSkewOf(services).ms).toISOString();

/** Unix seconds. */
export const toDate = (seconds: bigint): Date => new Date(toSafeInteger(seconds) * 1000);
