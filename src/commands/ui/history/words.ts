import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/net/client.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { valueText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import type { ParamField } from '../../engine/fields.ts';
import type { CommandHistoryEntry } from '../../engine/dispatch/history.ts';
import { registry } from '../../app/registry.ts';
import { paramValueText } from '../dialogs/param-value-text.ts';

export function recordNamesText({ invocation, names = [] }: Pick<CommandHistoryEntry, 'invocation' | 'names'>): string {
  const count = invocation.targets?.length ?? 0;
  const nameList = joinList(names);
  return count > names.length ? [nameList, t('history.more', { count })].filter(Boolean).join(' ') : nameList;
}

export const paramFieldsOf = (command: string): Readonly<Record<string, ParamField>> =>
  registry.get(command)?.params?.fields ?? {};

export function useParamWords(command: string, params: Readonly<Record<string, unknown>> = {}): string[] {
  const pickedValues = Object.entries(paramFieldsOf(command)).flatMap(([name, field]) =>
    (field.as === 'picks' || field.as === 'pick') && name in params ? [[name, field] as const] : [],
  );
  const { data: labels } = useQuery(
    {
      queryKey: ['labels', command, pickedValues.some(([, field]) => field.as === 'pick' && field.follows) ? params : null],
      queryFn: async ({ signal }) => {
        const options = await Promise.all(
          pickedValues.map(([, field]) => field.options({ api, signal, targets: [], values: params })),
        );
        return new Map(options.flat().map(({ value, label }) => [value, label]));
      },
      enabled: pickedValues.length > 0,
      staleTime: 60_000,
    },
    queryClient,
  );
  const toLabel = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(toLabel) : typeof value === 'string' ? (labels?.get(value) ?? value) : value;
  return paramsText(command, {
    ...params,
    ...Object.fromEntries(pickedValues.map(([name]) => [name, toLabel(params[name])])),
  });
}

export const paramsText = (command: string, params: Readonly<Record<string, unknown>> = {}): string[] =>
  Object.entries(params).map(([name, value]) => {
    const field = paramFieldsOf(command)[name];
    return field ? `${t(field.label)}: ${paramValueText(field, value)}` : `${name}: ${valueText(value)}`;
  });
