import { ApiError } from './client.ts';
import { t, tMaybe } from '../i18n/i18n.ts';

export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors.generic');
  if (isStatisticsOutage(error)) return t('shell.outage.statistics');
  if (error.code === 'FACTOR_REQUIRED' && isUnvouched(error.data)) return t('errors.vouch');
  return tMaybe(`errors.code.${error.code}`) ?? t('errors.generic');
}

/** Of FACTOR_REQUIRED: a second factor exists, but no one vouched for it. */
export const isUnvouched = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'reason' in data && data.reason === 'VOUCH';

/** Null without a response. */
export const readRequestId = (error: unknown): string | null => (error instanceof ApiError ? error.requestId : null);

/** The statistics database is unreachable, and everything else works. */
export const isStatisticsOutage = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 'UNAVAILABLE' &&
  typeof error.data === 'object' &&
  error.data !== null &&
  'what' in error.data &&
  error.data.what === 'statistics';
