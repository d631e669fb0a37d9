import { t, tMaybe } from '../../../lib/i18n/i18n.ts';
import { ChunkError } from '../../../lib/chunks/loader.ts';
import { chunkText } from '../../../lib/ui/chunk-text.ts';

export interface Blanks {
  email: boolean;
  password: boolean;
}

/** Empty required fields (specification §5). */
export const blanksOf = ({ email, password }: { email: string; password: string }): Blanks => ({
  email: email.trim() === '',
  password: password.trim() === '',
});

export interface Failure {
  text: string;
  /** Only for server errors, which support looks up. */
  requestId: string | null;
}

/** Identifies the error by shape, because the client's class loads later. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ChunkError) return { text: chunkText(error), requestId: null };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const requestId =
    code === 'INTERNAL' && error instanceof Error && 'requestId' in error && typeof error.requestId === 'string'
      ? error.requestId
      : '';
  return { text: tMaybe(`errors.code.${code}`) ?? t('errors.generic'), requestId: requestId || null };
}
