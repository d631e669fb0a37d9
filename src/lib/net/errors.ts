import { ApiError } from './client.ts';
import { t, tMaybe } from '../i18n/i18n.ts';

/** What went wrong, in the person's language; a thing without words of its own says the general sentence. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors.generic');
  return tMaybe(`errors.code.${error.code}`) ?? t('errors.generic');
}

/** The request's id, for whoever has to look it up; null when no answer came. */
export const requestIdOf = (error: unknown): string | null => (error instanceof ApiError ? error.requestId : null);
