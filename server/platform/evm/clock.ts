import { integerOf } from '../../../api/integers.ts';
import { perServer, type Services } from '../core/context.ts';

/** How far the chain's clock is from this server's, milliseconds. */
const skewOf = perServer(() => ({ ms: 0 }));
/** Between two blocks a chain's clock stands: what is less than this is no difference. */
const usualMs = 60_000;

/** Takes note of the newest block's time (unix seconds). */
export function setChainTime(services: Services, seconds: bigint): void {
  const ms = timeOf(seconds).getTime() - services.now();
  skewOf(services).ms = ms < usualMs && ms > -usualMs ? 0 : ms;
}

/** A moment of the chain's clock as this server's shows it. */
export const serverTime = (services: Services, at: Date): string => new Date(at.getTime() - skewOf(services).ms).toISOString();

/** A moment of the chain: unix seconds. */
export const timeOf = (seconds: bigint): Date => new Date(integerOf(seconds) * 1000);
