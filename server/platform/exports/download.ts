import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAppError } from '../core/errors.ts';
import type { RawRoute } from '../http/raw-routes.ts';
import { requireActor, type RequestContext } from '../services/context.ts';
import { exportFileTypes, openStoredFile } from './file.ts';
import { readOwnJob, readParts, type ExportJob } from './jobs.ts';
import { exportSources, type ExportSource } from './source.ts';

const maxWaitMs = 30_000;
const pollMs = 200;

/** One per list, so that the list's permission guards its files. */
export const createExportRoutes = (): RawRoute[] => [...exportSources.values()].map(createDownloadRoute);

const createDownloadRoute = (source: ExportSource): RawRoute => ({
  method: 'GET',
  path: source.path,
  meta: { permission: source.permission },
  async handle({ params, context, request }) {
    const { granted, isViewing } = requireActor(context);
    if (isViewing) throw createAppError('VIEW_ONLY');
    if (!granted.has(source.menu)) throw createAppError('FORBIDDEN');
    const job = await waitForJob(context, source, params['id'] ?? '', request.signal);
    const body = openStoredFile(job.format, readParts(context.db, job.id));
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
async function waitForJob(context: RequestContext, source: ExportSource, id: string, signal: AbortSignal): Promise<ExportJob> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw createAppError('NOT_FOUND');
  const { services } = context;
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const job = await readOwnJob(context.db, requireActor(context), id);
    if (job.list !== source.name) throw createAppError('NOT_FOUND');
    if (job.state === 'done' && Number(job.expiresAt) > services.now()) return job;
    if (job.state === 'failed') throw createAppError('EXPORT_FAILED', { problem: job.problem });
    if (job.state !== 'queued' && job.state !== 'running') throw createAppError('NOT_FOUND');
    if (waitedMs >= maxWaitMs || signal.aborted || services.stopping?.aborted) throw createAppError('UNAVAILABLE');
    await sleep(pollMs);
  }
}
