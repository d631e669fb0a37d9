import { integerOf } from '../../../api/integers.ts';
import { memoizePerServer, type Services } from '../services/context.ts';

/** Milliseconds. */
const skewOf = memoizePerServer(() => ({ ms: 0 }));
/** Normal age of a block. */
const usualMs = 60_000;

/** Unix seconds. */
export function setChainTime(services: Services, seconds: bigint): void {
  const ms = timeOf(seconds).getTime() - services.now();
  skewOf(services).ms = ms < usualMs && ms > -usualMs ? 0 : ms;
}

export const serverTime = (services: Services, at: Date): string => new Date(at.getTime() - skewOf(services).ms).toISOString();

/** Unix seconds. */
export const timeOf = (seconds: bigint): Date => new Date(integerOf(seconds) * 1000);
