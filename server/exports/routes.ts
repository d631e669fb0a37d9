import { and, eq } from 'drizzle-orm';
import { createAppError } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import { endJobWithoutFile, ownJobsCondition, readOwnJobs, type ExportJob } from '../platform/exports/jobs.ts';
import { exportEntityOf, toExportJobRow } from '../platform/exports/source.ts';
import { exportJobs as table } from '../platform/exports/tables.ts';
import { guardedApi } from '../platform/http/router.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { requireActor, type RequestContext } from '../platform/services/context.ts';

export const exportJobs = {
  own: guardedApi.exportJobs.own.handler(async ({ context }) =>
    (await readOwnJobs(context.db, requireActor(context))).map(toExportJobRow),
  ),

  cancel: guardedApi.exportJobs.cancel.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const job = await lockOwnJob(tx, context, input.id);
      if (!isUnfinished(job)) return asUnmodified(toExportJobRow(job));
      const canceledJob = await endJobWithoutFile(tx, job.id, { state: 'canceled', at: context.services.now() });
      recordAudit({ entity: exportEntityOf(job.list), id: job.id, after: { rows: canceledJob.written } });
      return toExportJobRow(canceledJob);
    }),
  ),

  remove: guardedApi.exportJobs.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const job = await lockOwnJob(tx, context, input.id);
      await tx.delete(table).where(eq(table.id, job.id));
      recordAudit({ entity: exportEntityOf(job.list), id: job.id, before: { rows: job.written } });
      return { id: job.id };
    }),
  ),
};

const isUnfinished = ({ state }: ExportJob) => state === 'queued' || state === 'running';

async function lockOwnJob(tx: Tx, context: RequestContext, id: string): Promise<ExportJob> {
  const [job] = await tx
    .select()
    .from(table)
    .where(and(eq(table.id, id), ownJobsCondition(requireActor(context))))
    .for('update');
  if (!job) throw createAppError('NOT_FOUND');
  return job;
}
