import type { ExportJobRow } from '../../../api/exports/contract.ts';
import { readExports } from '../../lib/exports/follow.ts';
import { saveExportFile } from '../../lib/exports/save.ts';
import { $exportJobs, isUnfinished } from '../../lib/exports/store.ts';
import { formatTime } from '../../lib/format.ts';
import { tMaybe } from '../../lib/i18n/i18n.ts';
import { ApiError } from '../../lib/net/client.ts';
import type { FieldOption } from '../engine/fields.ts';

const jobGroups = {
  ready: ({ state }: ExportJobRow) => state === 'done',
  running: isUnfinished,
  ended: (job: ExportJobRow) => !isUnfinished(job),
};

export async function exportOptions(jobGroup: keyof typeof jobGroups): Promise<FieldOption[]> {
  await readExports();
  return $exportJobs
    .get()
    .filter(jobGroups[jobGroup])
    .map((job) => ({
      value: job.id,
      label: `${tMaybe(`exportJobs.list.${job.list}`) ?? job.list} · ${job.format.toUpperCase()}`,
      note: formatTime(job.createdAt),
    }));
}

/** Returns the number of rows. */
export async function saveById(id: string): Promise<number> {
  await readExports();
  const job = $exportJobs.get().find((candidate) => candidate.id === id);
  if (!job) throw new ApiError('NOT_FOUND');
  return saveExportFile(job);
}
