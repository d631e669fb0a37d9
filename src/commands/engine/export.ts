import type { Api } from '../../lib/net/client.ts';
import { locale } from '../../lib/i18n/i18n.ts';
import type { Fields, FilterOf } from '../../../api/filter.ts';
import { readQuery, type Filters, type Sort } from '../../lib/ui/list/filter/filters.ts';
import { toFilterInput } from '../../lib/ui/list/filter/grammar.ts';
import { noTarget, type CommandResult } from './define.ts';
import type { exportParams } from './export-schema.ts';
import { choiceField, paramSpec, type ParamSpec } from './fields.ts';

interface Shape<S extends string> {
  sorts: readonly S[];
  defaultSort: Sort<S>;
  filters: Filters;
}

interface ListQuery<S extends string> {
  sort: S;
  direction: 'asc' | 'desc';
  filter: FilterOf<Fields>;
  locale: 'zh-CN' | 'en-US';
  zone: string;
}

/** On any other screen there is no filter. */
export function currentQueryOf<S extends string>(screenPath: string, shape: Shape<S>): ListQuery<S> {
  const isScreenOpen = typeof location !== 'undefined' && location.pathname === screenPath;
  const { sort, filter } = readQuery(isScreenOpen ? location.search : '', shape);
  return { sort: sort.by, direction: sort.direction, filter: toFilterInput(shape.filters, filter), ...exportWording() };
}

export const exportWording = () => ({ locale: locale(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone });

const formatSpec: ParamSpec<typeof exportParams> = {
  ...paramSpec(
    () => import('./export-schema.ts').then((schemas) => schemas.exportParams),
    {
      format: choiceField('exportJobs.field.format', [
        { value: 'xlsx', label: 'exportJobs.format.xlsx' },
        { value: 'csv', label: 'exportJobs.format.csv' },
      ]),
    },
    () => ({ format: 'xlsx' }),
  ),
  complete: ({ format = 'csv' }) => Promise.resolve({ format }),
};

/** What every export of a list has. A script that names no format gets CSV. */
export const exportCommand = {
  icon: 'download',
  target: noTarget,
  params: formatSpec,
  danger: 'none',
  done: ({ rows, isSaved }: { rows: number; isSaved: boolean }): CommandResult => ({
    stale: ['audit'],
    toast: isSaved ? { key: 'exportJobs.saved', values: { count: rows } } : { key: 'exportJobs.started' },
  }),
} as const;

export const saveExport = async (start: () => ReturnType<Api['points']['export']>) =>
  (await import('../../lib/exports/save.ts')).runExport(start);
