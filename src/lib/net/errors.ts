import { ApiError } from './client.ts';
import { t, tMaybe } from '../i18n/i18n.ts';

export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors.generic');
  return tMaybe(`errors.code.${error.code}`) ?? t('errors.generic');
}

/** Null without a response. */
export const requestIdOf = (error: unknown): string | null => (error instanceof ApiError ? error.requestId : null);
