import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { isMissingError } from '../../lib/ui/record/use-record.ts';
import type { AnyStatistics } from './description.ts';

export function StatisticsRecord({ of: { name, routes, toTarget, columns }, id }: { of: AnyStatistics; id: string }) {
  const { data, isSuccess, error } = useQuery(
    { queryKey: [name, 'one', id], queryFn: ({ signal }) => routes.many({ ids: [id] }, { signal }) },
    queryClient,
  );
  const row = data?.[0];
  useOpenRecord(row, toTarget, (isSuccess && !row) || isMissingError(error));
  const target = useMemo(() => (row ? [toTarget(row)] : []), [row, toTarget]);
  if (!row) return null;
  return (
    <RecordSheet title={target[0]?.name ?? ''}>
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          <CommandTrigger id={`${name}.copyAddress`} targets={target} />
        </div>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          {columns.map(({ id: column, header, unit, cell, whole }) => (
            <div key={column} data-field={column} className="contents">
              <dt className="text-2">{t(header)}</dt>
              <dd className="min-w-0 break-words">
                {(whole ?? cell)(row)}
                {unit && <span className="text-2"> {unit}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </RecordSheet>
  );
}
