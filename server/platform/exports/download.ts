import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { appError } from '../core/errors.ts';
import type { RawRoute } from '../http/raw-routes.ts';
import { actorOf, type RequestContext } from '../services/context.ts';
import { exportFileTypes, storedFile } from './file.ts';
import { ownJob, partsOf, type ExportJob } from './jobs.ts';
import { exportSources, type ExportSource } from './source.ts';

const maxWaitMs = 30_000;
const lookMs = 200;

/** One per list, so that the list's permission guards its files. */
export const exportRoutes = (): RawRoute[] => [...exportSources.values()].map(downloadRoute);

const downloadRoute = (source: ExportSource): RawRoute => ({
  method: 'GET',
  path: source.path,
  meta: { permission: source.permission },
  async handle({ params, context, request }) {
    const { granted, isViewing } = actorOf(context);
    if (isViewing) throw appError('VIEW_ONLY');
    if (!granted.has(source.menu)) throw appError('FORBIDDEN');
    const job = await finishedJob(context, source, params['id'] ?? '', request.signal);
    const body = storedFile(job.format, partsOf(context.db, job.id));
    return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, {
      headers: {
        'content-type': exportFileTypes[job.format],
        'content-disposition': `attachment; filename="${source.name}.${job.format}"`,
        'cache-control': 'no-store',
        'x-rows': String(job.written),
      },
    });
  },
});

/** Waits a while, so that a script can start an export and read it with its next request. */
async function finishedJob(context: RequestContext, source: ExportSource, id: string, signal: AbortSignal): Promise<ExportJob> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw appError('NOT_FOUND');
  const { services } = context;
  for (let waited = 0; ; waited += lookMs) {
    const job = await ownJob(context.db, actorOf(context).id, id);
    if (job.list !== source.name) throw appError('NOT_FOUND');
    if (job.state === 'done' && Number(job.expiresAt) > services.now()) return job;
    if (job.state === 'failed') throw appError('EXPORT_FAILED', { problem: job.problem });
    if (job.state !== 'queued' && job.state !== 'running') throw appError('NOT_FOUND');
    if (waited >= maxWaitMs || signal.aborted || services.stopping?.aborted) throw appError('UNAVAILABLE');
    await sleep(lookMs);
  }
}
