import { t, tMaybe } from '../../../lib/i18n/i18n.ts';
import { ChunkError } from '../../../lib/chunks/loader.ts';
import { chunkText } from '../../../lib/ui/chunk-text.ts';

export interface EmptyFields {
  email: boolean;
  password: boolean;
}

/** Empty required fields (specification §5). */
export const emptyFieldsOf = ({ email, password }: { email: string; password: string }): EmptyFields => ({
  email: email.trim() === '',
  password: password.trim() === '',
});

export interface SignInFailure {
  text: string;
  /** Only for server errors, which support looks up. */
  requestId: string | null;
}

/** Identifies the error by shape, because the client's class loads later. */
export function signInFailureOf(error: unknown): SignInFailure {
  if (error instanceof ChunkError) return { text: chunkText(error), requestId: null };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const requestId =
    code === 'INTERNAL' && error instanceof Error && 'requestId' in error && typeof error.requestId === 'string'
      ? error.requestId
      : '';
  return { text: tMaybe(`errors.code.${code}`) ?? t('errors.generic'), requestId: requestId || null };
}
