import { useQuery, type QueryObserverOptions, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { CommandId } from '../../../api/names.ts';
import type { RecordedRow } from '../../../api/history.ts';
import { versionTarget } from '../../commands/engine/versions.ts';
import { RecordCommands, type RecordCommand } from '../../commands/ui/controls/record-commands.tsx';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../lib/i18n/i18n.ts';
import { errorText } from '../../lib/net/errors.ts';
import { queryClient } from '../../lib/net/query.ts';
import type { Target } from '../../lib/scope.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import type { RecordFields } from '../../lib/ui/record/fields.ts';
import { closeRecord, useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { RecordHistory } from '../../lib/ui/record/record-history.tsx';
import { isMissingError, useRecord } from '../../lib/ui/record/use-record.ts';

type RefetchOptions<Row> = Pick<QueryObserverOptions<Row[]>, 'refetchInterval'>;
type HistoryLoad = Parameters<typeof RecordHistory>[0]['load'];

/** The record in the address. Commands act on it while it is open. Define `toTarget` outside the component. */
export function useOpenedRecord<Row extends { id: string }>(
  resource: string,
  id: string,
  loadRows: (input: { ids: string[] }, options: { signal: AbortSignal }) => Promise<Row[]>,
  toTarget: (row: Row) => Target,
  queryOptions: RefetchOptions<Row> = {},
): { row: Row; targets: readonly Target[] } | null {
  const { row, isGone } = useRecord(resource, id, loadRows, queryOptions);
  useOpenRecord(row, toTarget, isGone);
  return useMemo(() => (row ? { row, targets: [toTarget(row)] } : null), [row, toTarget]);
}

/** Like `useOpenedRecord`, if one request returns the row with its details. */
export function useOpenedDetails<Row, Details extends { row: Row }>(
  resource: string,
  id: string,
  loadRows: (input: { id: string }, options: { signal: AbortSignal }) => Promise<Details>,
  toTarget: (row: Row) => Target,
): { row: Row; details: Details; targets: readonly Target[] } | null {
  const { data, error } = useQuery(
    { queryKey: [resource, 'one', id], queryFn: ({ signal }) => loadRows({ id }, { signal }) },
    queryClient,
  );
  const isDeleted = isMissingError(error);
  useOpenRecord(data?.row, toTarget, isDeleted);
  return useMemo(
    () => (data && !isDeleted ? { row: data.row, details: data, targets: [toTarget(data.row)] } : null),
    [data, isDeleted, toTarget],
  );
}

interface RecordViewProps {
  title: string;
  /** Under the title, such as a status chip. */
  state?: ReactNode;
  /** 'table': room for the columns of a file. */
  wide?: boolean | 'table';
  onClose?: () => void;
  /** They act on these records, unless they name others. */
  targets: readonly Target[];
  primary?: RecordCommand | CommandId | null | false;
  /** By importance. The first two have a button, the others are under ⋯. */
  commands?: readonly (RecordCommand | CommandId | null | false)[];
  children?: ReactNode;
  history?: {
    resource: string;
    entity: string;
    fields: RecordFields;
    current: RecordedRow & { id: string };
    load: (input: Parameters<HistoryLoad>[0], options: { signal: AbortSignal }) => ReturnType<HistoryLoad>;
    /** Restores an earlier version. */
    restore?: CommandId;
  };
}

export function RecordView({
  title,
  state,
  wide = false,
  onClose = closeRecord,
  targets,
  primary,
  commands = [],
  children,
  history,
}: RecordViewProps) {
  const recordCommands = [primary, ...commands].flatMap((command, index): RecordCommand[] => {
    if (!command) return [];
    const commandOptions = typeof command === 'string' ? { id: command } : command;
    return [{ targets, ...(index === 0 && { look: 'primary' as const }), ...commandOptions }];
  });
  return (
    <RecordSheet title={title} description={state} wide={wide} onClose={onClose}>
      <div data-record className="flex flex-col gap-5">
        <RecordCommands commands={recordCommands} />
        {children}
        {history && (
          <RecordHistory
            resource={history.resource}
            entity={history.entity}
            fields={history.fields}
            id={history.current.id}
            load={(input, signal) => history.load(input, { signal })}
            current={history.current}
            {...(history.restore && { action: restoreAction(history.restore) })}
          />
        )}
      </div>
    </RecordSheet>
  );
}

type RestoreAction = NonNullable<Parameters<typeof RecordHistory>[0]['action']>;

const restoreAction =
  (id: CommandId): RestoreAction =>
  (version) => <CommandTrigger id={id} targets={[versionTarget(version)]} label={t('record.history.restore')} />;

interface LoadedProps<Data> {
  of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  lines?: number;
  children: (data: Data) => ReactNode;
}

/** A part of the record that is read separately. */
export function LoadedData<Data>({ of: { data, error, refetch }, lines = 3, children }: LoadedProps<Data>) {
  return (
    <>
      {error && (
        <p role="alert" className="flex flex-wrap items-center gap-2">
          {errorText(error)}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </p>
      )}
      {data === undefined ? !error && <Skeleton lines={lines} /> : children(data)}
    </>
  );
}
