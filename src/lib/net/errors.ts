import { ApiError } from './client.ts';
import { t, tMaybe } from '../i18n/i18n.ts';

export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors.generic');
  if (isStatisticsOutage(error)) return t('shell.outage.statistics');
  return tMaybe(`errors.code.${error.code}`) ?? t('errors.generic');
}

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
