import { exportNames } from '../../../api/exports/names.ts';
import { $exportsOpen } from '../../lib/exports/store.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { defineCommand, globalCommand, type CommandResult } from '../engine/define.ts';
import { paramSpec, pickField, type FieldOption } from '../engine/fields.ts';

addNames(exportNames);

type JobGroup = 'ready' | 'running' | 'ended';

const pickFrom = (jobGroup: JobGroup) =>
  paramSpec(() => import('./schemas.ts').then(({ exportPick }) => exportPick), {
    export: pickField('exportJobs.field.export', () => loadOptions(jobGroup)),
  });

const loadOptions = async (jobGroup: JobGroup): Promise<FieldOption[]> => (await import('./options.ts')).exportOptions(jobGroup);

export const exportJobs = [
  defineCommand({
    ...globalCommand,
    id: 'exportJobs.open',
    icon: 'download',
    params: null,
    keys: ['g x'],
    run: () => $exportsOpen.set(true),
    done: (): CommandResult => ({ toast: null }),
  }),
  defineCommand({
    ...globalCommand,
    id: 'exportJobs.download',
    icon: 'download',
    params: pickFrom('ready'),
    run: async ({ params }) => ({ rows: await (await import('./options.ts')).saveById(params.export) }),
    done: ({ rows }): CommandResult => ({ toast: { key: 'exportJobs.saved', values: { count: rows } } }),
  }),
  defineCommand({
    ...globalCommand,
    id: 'exportJobs.cancel',
    icon: 'x',
    params: pickFrom('running'),
    run: async ({ api, params }) => {
      await api.exportJobs.cancel({ id: params.export });
      await (await import('../../lib/exports/follow.ts')).readExports();
    },
    done: (): CommandResult => ({ toast: { key: 'exportJobs.canceled' } }),
  }),
  defineCommand({
    ...globalCommand,
    id: 'exportJobs.remove',
    icon: 'trash-2',
    params: pickFrom('ended'),
    run: async ({ api, params }) => {
      await api.exportJobs.remove({ id: params.export });
      await (await import('../../lib/exports/follow.ts')).readExports();
    },
    done: (): CommandResult => ({ toast: { key: 'exportJobs.removed' } }),
  }),
];
