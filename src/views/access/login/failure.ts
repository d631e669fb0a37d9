import { t, tMaybe } from '../../../lib/i18n/i18n.ts';
import { ChunkError } from '../../../lib/chunks/loader.ts';
import { chunkText } from '../../../lib/ui/chunk-text.ts';

export interface Blanks {
  email: boolean;
  password: boolean;
}

/** Which of the two must still be filled in (specification §5). */
export const blanksOf = ({ email, password }: { email: string; password: string }): Blanks => ({
  email: email.trim() === '',
  password: password.trim() === '',
});

export interface Failure {
  text: string;
  /** Only where it helps: for faults of ours, to be looked up. */
  requestId: string | null;
}

/**
 * What to say when sign-in did not go through, by the error's code. The error is known by its shape, not its class:
 * the client that throws it is loaded only when it is needed.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof ChunkError) return { text: chunkText(error), requestId: null };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const requestId =
    code === 'INTERNAL' && error instanceof Error && 'requestId' in error && typeof error.requestId === 'string'
      ? error.requestId
      : '';
  return { text: tMaybe(`errors.code.${code}`) ?? t('errors.generic'), requestId: requestId || null };
}
