import type { ExportJobRow } from '../../../api/exports/contract.ts';
import { t } from '../i18n/i18n.ts';
import { loadResourceWords } from '../i18n/boot.ts';
import { ApiError, toApiError } from '../net/client.ts';
import { datedName, downloadFile } from '../net/download.ts';
import { showToast } from '../ui/overlay/toasts-store.ts';
import { errorText } from '../net/errors.ts';
import { exportEnd } from './follow.ts';
import { $exportsOpen, $pendingExports, setPendingExports } from './store.ts';

/** A short export ends before its command does, so that one notice is enough. */
const shortMs = 1_500;

export interface ExportOutcome {
  id: string;
  rows: number;
  isSaved: boolean;
}

const ends = new Set<Promise<unknown>>();

/** For a shell, which ends after its last file. */
export const allExportsEnd = (): Promise<unknown> => Promise.allSettled(ends);

/** Starts an export and saves its file when it is ready, wherever the person is by then. */
export async function runExport(start: () => Promise<{ id: string; rows: number }>): Promise<ExportOutcome> {
  const { id, rows } = await start();
  setPendingExports([...$pendingExports.get(), id]);
  const saved = exportEnd(id).then(saveExportFile);
  ends.add(saved);
  const over = saved.finally(() => ends.delete(saved));
  over.catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const early = new Promise<null>((resolve) => (timer = setTimeout(resolve, shortMs, null)));
  const outcome = await Promise.race([saved, early]);
  clearTimeout(timer);
  if (outcome !== null) return { id, rows: outcome, isSaved: true };
  saved.then(
    async (count) => {
      await loadResourceWords();
      showToast({ kind: 'success', text: t('exportJobs.saved', { count }) });
    },
    async (error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      await loadResourceWords();
      const link = { label: t('exportJobs.title'), run: () => $exportsOpen.set(true) };
      showToast({ kind: 'error', text: errorText(toApiError(error)), link });
    },
  );
  return { id, rows, isSaved: false };
}

/** Returns the number of rows. Throws ApiError, or AbortError if the export was canceled. */
export async function saveExportFile(job: ExportJobRow): Promise<number> {
  const { id, list, path, format, state, problem, rows } = job;
  if (state === 'canceled') {
    forgetPending(id);
    throw new DOMException('canceled', 'AbortError');
  }
  if (state === 'failed') {
    forgetPending(id);
    throw new ApiError('EXPORT_FAILED', null, { problem });
  }
  if (state !== 'done') throw new ApiError('NOT_FOUND');
  await downloadFile(path, datedName(list, format));
  forgetPending(id);
  return rows;
}

const forgetPending = (id: string) => setPendingExports($pendingExports.get().filter((one) => one !== id));
