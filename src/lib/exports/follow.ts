import type { ExportJobRow } from '../../../api/exports/contract.ts';
import { api, ApiError, toApiError } from '../net/client.ts';
import { $loginEmail } from '../session/session.ts';
import { $exportJobs, $pendingExports, isUnfinished, setPendingExports } from './store.ts';

const firstReadMs = 150;
const readIntervalMs = 1_000;

interface PendingExport {
  resolve: (job: ExportJobRow) => void;
  reject: (error: unknown) => void;
}

const pendingById = new Map<string, PendingExport>();
let timer: ReturnType<typeof setTimeout> | null = null;
let watcherCount = 0;

$loginEmail.listen(() => {
  for (const { reject } of pendingById.values()) reject(new ApiError('UNAUTHORIZED'));
  pendingById.clear();
});

/** Resolves when the export has ended, through outages and restarts of the server. */
export function waitForExport(id: string): Promise<ExportJobRow> {
  const endPromise = new Promise<ExportJobRow>((resolve, reject) => pendingById.set(id, { resolve, reject }));
  scheduleRead(firstReadMs);
  return endPromise;
}

/** Keeps `$exportJobs` current until the returned function is called. */
export function watchExports(): () => void {
  watcherCount++;
  scheduleRead(0);
  return () => void watcherCount--;
}

export async function readExports(): Promise<void> {
  const jobs = await api.exportJobs.own();
  $exportJobs.set(jobs);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const pendingIds = $pendingExports.get();
  const knownIds = pendingIds.filter((id) => byId.has(id));
  if (knownIds.length < pendingIds.length) setPendingExports(knownIds);
  for (const [id, { resolve, reject }] of pendingById) {
    const job = byId.get(id);
    if (job && isUnfinished(job)) continue;
    pendingById.delete(id);
    if (job) resolve(job);
    else reject(new ApiError('NOT_FOUND'));
  }
}

function scheduleRead(delayMs: number): void {
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(() => void readPending(), delayMs);
}

async function readPending(): Promise<void> {
  timer = null;
  try {
    await readExports();
  } catch (error) {
    const { code } = toApiError(error);
    if (code !== 'OFFLINE' && code !== 'UNAVAILABLE' && code !== 'INTERNAL' && code !== 'TOO_MANY_REQUESTS') {
      for (const { reject } of pendingById.values()) reject(error);
      pendingById.clear();
      return;
    }
  }
  const isWatched = watcherCount > 0 || $pendingExports.get().length > 0;
  if (pendingById.size > 0 || (isWatched && $exportJobs.get().some(isUnfinished))) scheduleRead(readIntervalMs);
}
