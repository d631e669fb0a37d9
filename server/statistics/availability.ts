import { failure, isFailure, toFailure } from '../platform/core/errors.ts';
import type { RequestContext } from '../platform/services/context.ts';

/** Seconds after which a sender or a screen asks again. */
const retryAfter = 5;

/** Names the statistics database in the failure, so that the panel can say what is unavailable. */
export async function orUnavailable<T>({ services }: Pick<RequestContext, 'services'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const found = toFailure(error);
    if (!isFailure(found, 'UNAVAILABLE') || !services.database.statistics.isSeparate) throw error;
    throw failure('UNAVAILABLE', { what: 'statistics', retryAfter }, found.cause);
  }
}

/** Asks the sender to repeat the batch. Repeated events count once. */
export async function orRetryAfter<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const found = toFailure(error);
    throw isFailure(found, 'UNAVAILABLE') ? failure('UNAVAILABLE', { ...found.data, retryAfter }, found.cause) : error;
  }
}
