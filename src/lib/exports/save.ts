import type { ExportJobRow } from '../../../api/exports/contract.ts';
import { t } from '../i18n/i18n.ts';
import { loadResourceTexts } from '../i18n/boot.ts';
import { ApiError, toApiError } from '../net/client.ts';
import { datedName, downloadFile } from '../net/download.ts';
import { showToast } from '../ui/overlay/toasts-store.ts';
import { errorText } from '../net/errors.ts';
import { waitForExport } from './follow.ts';
import { $exportsOpen, $pendingExports, setPendingExports } from './store.ts';

/** A short export ends before its command does, so that one notice is enough. */
const graceMs = 1_500;

export interface ExportOutcome {
  id: string;
  rows: number;
  isSaved: boolean;
}

const runningExports = new Set<Promise<unknown>>();

/** For a shell, which ends after its last file. */
export const waitForExports = (): Promise<unknown> => Promise.allSettled(runningExports);

/** Starts an export and saves its file when it is ready, wherever the person is by then. */
export async function runExport(start: () => Promise<{ id: string; rows: number }>): Promise<ExportOutcome> {
  const { id, rows } = await start();
  setPendingExports([...$pendingExports.get(), id]);
  const savePromise = waitForExport(id).then(saveExportFile);
  runningExports.add(savePromise);
  const cleanup = savePromise.finally(() => runningExports.delete(savePromise));
  cleanup.catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => (timer = setTimeout(resolve, graceMs, null)));
  const outcome = await Promise.race([savePromise, timeout]);
  clearTimeout(timer);
  if (outcome !== null) return { id, rows: outcome, isSaved: true };
  savePromise.then(
    async (count) => {
      await loadResourceTexts();
      showToast({ kind: 'success', text: t('common.happened', { what: t('exportJobs.saved', { count }) }) });
    },
    async (error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      await loadResourceTexts();
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
    removePending(id);
    throw new DOMException('canceled', 'AbortError');
  }
  if (state === 'failed') {
    removePending(id);
    throw new ApiError('EXPORT_FAILED', null, { problem });
  }
  if (state !== 'done') throw new ApiError('NOT_FOUND');
  await downloadFile(path, datedName(list, format));
  removePending(id);
  return rows;
}

const removePending = (id: string) => setPendingExports($pendingExports.get().filter((pendingId) => pendingId !== id));
