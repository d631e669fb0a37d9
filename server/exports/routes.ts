import { and, eq } from 'drizzle-orm';
import { appError } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import { endWithoutFile, ownJobs, type ExportJob } from '../platform/exports/jobs.ts';
import { entityOfExport, presentJob } from '../platform/exports/source.ts';
import { exportJobs as table } from '../platform/exports/tables.ts';
import { guardedApi } from '../platform/http/router.ts';
import { unmodified, writeOnce } from '../platform/records/write.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';

export const exportJobs = {
  own: guardedApi.exportJobs.own.handler(async ({ context }) =>
    (await ownJobs(context.db, requirePerson(context).id)).map(presentJob),
  ),

  cancel: guardedApi.exportJobs.cancel.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const job = await lockOwn(tx, context, input.id);
      if (!isRunning(job)) return unmodified(presentJob(job));
      const canceled = await endWithoutFile(tx, job.id, { state: 'canceled', at: context.services.now() });
      note({ entity: entityOfExport(job.list), id: job.id, after: { rows: canceled.written } });
      return presentJob(canceled);
    }),
  ),

  remove: guardedApi.exportJobs.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const job = await lockOwn(tx, context, input.id);
      await tx.delete(table).where(eq(table.id, job.id));
      note({ entity: entityOfExport(job.list), id: job.id, before: { rows: job.written } });
      return { id: job.id };
    }),
  ),
};

const isRunning = ({ state }: ExportJob) => state === 'queued' || state === 'running';

async function lockOwn(tx: Tx, context: RequestContext, id: string): Promise<ExportJob> {
  const [job] = await tx
    .select()
    .from(table)
    .where(and(eq(table.id, id), eq(table.administratorId, requirePerson(context).id)))
    .for('update');
  if (!job) throw appError('NOT_FOUND');
  return job;
}
