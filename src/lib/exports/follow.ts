import type { ExportJobRow } from '../../../api/exports/contract.ts';
import { api, ApiError, toApiError } from '../net/client.ts';
import { $loginEmail } from '../session/session.ts';
import { $exportJobs, $pendingExports, isUnfinished, setPendingExports } from './store.ts';

const firstLookMs = 150;
const lookMs = 1_000;

interface Waiting {
  resolve: (job: ExportJobRow) => void;
  reject: (error: unknown) => void;
}

const waiting = new Map<string, Waiting>();
let timer: ReturnType<typeof setTimeout> | null = null;
let watchers = 0;

$loginEmail.listen(() => {
  for (const { reject } of waiting.values()) reject(new ApiError('UNAUTHORIZED'));
  waiting.clear();
});

/** Resolves when the export has ended, through outages and restarts of the server. */
export function exportEnd(id: string): Promise<ExportJobRow> {
  const end = new Promise<ExportJobRow>((resolve, reject) => waiting.set(id, { resolve, reject }));
  schedule(firstLookMs);
  return end;
}

/** Keeps `$exportJobs` current until the returned function is called. */
export function watchExports(): () => void {
  watchers++;
  schedule(0);
  return () => void watchers--;
}

export async function readExports(): Promise<void> {
  const jobs = await api.exportJobs.own();
  $exportJobs.set(jobs);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const pending = $pendingExports.get();
  const known = pending.filter((id) => byId.has(id));
  if (known.length < pending.length) setPendingExports(known);
  for (const [id, { resolve, reject }] of waiting) {
    const job = byId.get(id);
    if (job && isUnfinished(job)) continue;
    waiting.delete(id);
    if (job) resolve(job);
    else reject(new ApiError('NOT_FOUND'));
  }
}

function schedule(ms: number): void {
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(() => void look(), ms);
}

async function look(): Promise<void> {
  timer = null;
  try {
    await readExports();
  } catch (error) {
    const { code } = toApiError(error);
    if (code !== 'OFFLINE' && code !== 'UNAVAILABLE' && code !== 'INTERNAL' && code !== 'TOO_MANY_REQUESTS') {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      return;
    }
  }
  const isWatched = watchers > 0 || $pendingExports.get().length > 0;
  if (waiting.size > 0 || (isWatched && $exportJobs.get().some(isUnfinished))) schedule(lookMs);
}
