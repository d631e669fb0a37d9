import { readTabStored, writeTabStored } from '../prefs/storage.ts';

/** Where to go after sign-in, per tab. */
const key = 'returnTo';
const formKey = 'returnToForm';
/** What the email field of the sign-in page holds over a reload. */
export const signInEmailKey = 'draft.login';

export function storeReturnPath(path: string): void {
  writeTabStored(key, path);
}

/** Keeps the form that is open, before the end of the session closes it. */
export function storeReturnForm(): void {
  writeTabStored(formKey, (history.state as { form?: string } | null)?.form ?? null);
}

/** For a person who signs in again after the session was lost. */
export function storeReturnEmail(email: string): void {
  if (email !== '') writeTabStored(signInEmailKey, email);
}

/** Usable once. Untrusted: see `resolveReturnPath`. */
export function takeReturnPath(): string | null {
  const path = readTabStored(key);
  writeTabStored(key, null);
  return path;
}

/** History state that reopens the form if the person who signs in has its draft. Usable once. */
export function takeReturnState(): { form: string } | null {
  const form = readTabStored(formKey);
  writeTabStored(formKey, null);
  return form === null ? null : { form };
}
