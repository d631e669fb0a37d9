import { atom } from 'nanostores';
import { formatTime } from '../format.ts';
import { ApiError, toApiError } from './client.ts';
import { $authorization } from '../session/session.ts';

export interface Download {
  rows: number;
  of: number;
  cancel: () => void;
}
export const $download = atom<Download | null>(null);

interface DownloadRequest {
  path: string;
  name: string;
  /** Expected number of rows. The response has the exact one. */
  rows: number;
}

const lineEnd = 10;
const quote = 34;

/** Saves a streamed CSV and returns its number of rows. Throws ApiError if refused or truncated, AbortError if canceled. */
export async function downloadCsv({ path, name, rows }: DownloadRequest): Promise<{ rows: number }> {
  const aborter = new AbortController();
  const cancel = () => aborter.abort();
  $download.get()?.cancel();
  let of = rows;
  const show = (receive: number) => $download.set({ rows: receive, of, cancel });
  show(0);
  try {
    const response = await fetch(path, {
      headers: { authorization: $authorization.get() ?? '' },
      credentials: 'same-origin',
      signal: aborter.signal,
    });
    const requestId = response.headers.get('x-request-id');
    if (!response.ok || !response.body) throw await refusal(response, requestId);
    of = Number(response.headers.get('x-rows') ?? rows);
    const parts: BlobPart[] = [];
    let lines = 0;
    let isQuoted = false; // a cell may contain line breaks
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      for (const byte of value) {
        if (byte === quote) isQuoted = !isQuoted;
        else if (byte === lineEnd && !isQuoted) lines++;
      }
      show(Math.max(0, lines - 1));
    }
    if (lines - 1 !== of) throw new ApiError('INTERNAL', requestId);
    saveFile(new Blob(parts, { type: 'text/csv' }), name);
    return { rows: of };
  } finally {
    if ($download.get()?.cancel === cancel) $download.set(null);
  }
}

async function refusal(response: Response, requestId: string | null): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  return new ApiError(code === 'FORBIDDEN' || code === 'UNAUTHORIZED' || code === 'NOT_FOUND' ? code : 'UNAVAILABLE', requestId);
}

/** `points-2026-03-05.csv`, by the local date. */
export const datedName = (name: string, ending: string): string =>
  `${name}-${formatTime(new Date().toISOString()).slice(0, 10)}.${ending}`;

type Saver = (file: Blob, name: string) => void;

/** Saves in the browser, or in the shell that runs the command. */
export const saveFile: Saver = (file, name) => save(file, name);
export const setSaver = (saver: Saver): void => void (save = saver);

let save: Saver = (file, name) => {
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
  if (!response.ok) throw await refusal(response, response.headers.get('x-request-id'));
  saveFile(await response.blob(), name);
}

/** JSON of a route outside the contract. Throws ApiError, or AbortError if canceled. */
export async function readJson(path: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(path, {
      headers: { authorization: $authorization.get() ?? '' },
      credentials: 'same-origin',
      signal,
    });
    if (!response.ok) throw await refusal(response, response.headers.get('x-request-id'));
    return await response.json();
  } catch (error) {
    throw toApiError(error);
  }
}
