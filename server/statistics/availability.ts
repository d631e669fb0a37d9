import { createAppError, isAppError, toAppError } from '../platform/core/errors.ts';
import type { RequestContext } from '../platform/services/context.ts';

/** Seconds after which a sender or a screen asks again. */
const retryAfterSeconds = 5;

/** Names the statistics database in the failure, so that the panel can say what is unavailable. */
export async function withUnavailable<T>({ services }: Pick<RequestContext, 'services'>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const appErrorFound = toAppError(error);
    if (!isAppError(appErrorFound, 'UNAVAILABLE') || !services.database.statistics.isSeparate) throw error;
    throw createAppError('UNAVAILABLE', { what: 'statistics', retryAfter: retryAfterSeconds }, appErrorFound.cause);
  }
}

export async function withRetryAfter<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const appErrorFound = toAppError(error);
    throw isAppError(appErrorFound, 'UNAVAILABLE')
      ? createAppError('UNAVAILABLE', { ...appErrorFound.data, retryAfter: retryAfterSeconds }, appErrorFound.cause)
      : error;
  }
}
