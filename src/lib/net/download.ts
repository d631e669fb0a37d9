import { formatTime } from '../format.ts';
import { ApiError, toApiError } from './client.ts';
import { $authorization } from '../session/session.ts';

async function readRefusal(response: Response, requestId: string | null): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  return new ApiError(code === 'FORBIDDEN' || code === 'UNAUTHORIZED' || code === 'NOT_FOUND' ? code : 'UNAVAILABLE', requestId);
}

/** `points-2026-03-05.csv`, by the local date. */
export const datedName = (name: string, extension: string): string =>
  `${name}-${formatTime(new Date().toISOString()).slice(0, 10)}.${extension}`;

type Saver = (file: Blob, name: string) => void;

/** Saves in the browser, or in the shell that runs the command. */
export const saveFile: Saver = (file, name) => saveBlob(file, name);
export const setSaver = (saver: Saver): void => void (saveBlob = saver);

let saveBlob: Saver = (file, name) => {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

/** Throws ApiError if refused. */
export async function downloadFile(path: string, name: string): Promise<void> {
  const response = await fetch(path, { headers: { authorization: $authorization.get() ?? '' }, credentials: 'same-origin' });
  if (!response.ok) throw await readRefusal(response, response.headers.get('x-request-id'));
  saveFile(await response.blob(), name);
}

/** JSON of a route outside the contract. Throws ApiError, or AbortError if canceled. */
export async function fetchJson(path: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(path, {
      headers: { authorization: $authorization.get() ?? '' },
      credentials: 'same-origin',
      signal,
    });
    if (!response.ok) throw await readRefusal(response, response.headers.get('x-request-id'));
    return await response.json();
  } catch (error) {
    throw toApiError(error);
  }
}
