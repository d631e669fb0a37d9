import { useQuery } from '@tanstack/react-query';
import { t } from '../../../i18n/i18n.ts';
import { queryClient } from '../../../net/query.ts';
import type { Filter } from './filters.ts';

export interface RecordFilterProps {
  name: string;
  filter: Extract<Filter, { as: 'record' }>;
  value: string | boolean | undefined;
  onChoose: (value: string | undefined) => void;
}

/** A choice among records of another kind, read when the list is first shown. */
export function RecordFilter({ name, filter, value, onChoose }: RecordFilterProps) {
  const { data = [] } = useQuery({ queryKey: [name, 'choices'], queryFn: ({ signal }) => filter.load(signal) }, queryClient);
  const label = t(filter.label);
  return (
    <select
      aria-label={label}
      value={value === undefined ? '' : String(value)}
      className={`h-control max-w-56 rounded-control border bg-surface ps-2 pe-1 text-body text-1 ${value === undefined ? 'border-control' : 'border-accent'}`}
      onChange={({ target }) => onChoose(target.value === '' ? undefined : target.value)}
    >
      <option value="">{t('list.any', { label })}</option>
      {data.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {t('list.option', { label, value: choice.label })}
        </option>
      ))}
    </select>
  );
}
