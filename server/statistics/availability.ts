import { appError, isAppError, toAppError } from '../platform/core/errors.ts';
import type { RequestContext } from '../platform/services/context.ts';

/** Seconds after which a sender or a screen asks again. */
const retryAfter = 5;

/** Names the statistics database in the failure, so that the panel can say what is unavailable. */
export async function orUnavailable<T>({ services }: Pick<RequestContext, 'services'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const found = toAppError(error);
    if (!isAppError(found, 'UNAVAILABLE') || !services.database.statistics.isSeparate) throw error;
    throw appError('UNAVAILABLE', { what: 'statistics', retryAfter }, found.cause);
  }
}

export async function orRetryAfter<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const found = toAppError(error);
    throw isAppError(found, 'UNAVAILABLE') ? appError('UNAVAILABLE', { ...found.data, retryAfter }, found.cause) : error;
  }
}
