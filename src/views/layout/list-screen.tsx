import { useEffect, type ComponentType, type ReactNode } from 'react';
import { useSearch } from 'wouter';
import type { CommandId } from '../../../api/names.ts';
import { runCommand } from '../../commands/app/app.ts';
import type { BinProps } from '../../commands/ui/bin/bin.tsx';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { createChunk, type Chunk } from '../../lib/chunks/loader.ts';
import { copyText } from '../../lib/clipboard.ts';
import { t, type TextKey } from '../../lib/i18n/i18n.ts';
import { refreshResources } from '../../lib/net/query.ts';
import type { Entities, EntityName, Target } from '../../lib/scope.ts';
import { EmptyState } from '../../lib/ui/empty.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { ListTable } from '../../lib/ui/list/table/list-table.tsx';
import type { ListData, ListOptions, Page, PageInput } from '../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { RecordSlot } from '../../lib/ui/record/record-slot.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { ChunkView } from './chunk-view.tsx';

interface ListDefinition<E extends EntityName, S extends string> extends Omit<
  ListOptions<Entities[E], S>,
  'resource' | 'load' | 'toTarget' | 'onOpen' | 'onCopy'
> {
  resource: E;
  words: { title: TextKey; none: TextKey; empty: TextKey };
  list: (input: PageInput<S>, options: { signal: AbortSignal }) => Promise<Page<Entities[E]>>;
  columns: readonly Column<Entities[E]>[];
  toTarget: (row: Entities[E]) => Target & Target<E>;
  open: CommandId;
  /** What `y` copies, the record's name by default. */
  copies?: (target: Target<E>) => string;
  /** Commands for checked rows. */
  bulk?: readonly CommandId[];
  /** The command that fills an empty list. */
  fill?: CommandId;
}

interface DefinedList<E extends EntityName, S extends string> {
  options: ListOptions<Entities[E], S>;
  definition: ListDefinition<E, S>;
  rowMenu: (row: Entities[E]) => ReactNode;
}

/** Call it once, outside a component. */
export function defineList<E extends EntityName, S extends string>(definition: ListDefinition<E, S>): DefinedList<E, S> {
  const { list, toTarget, open, copies = ({ name }) => name } = definition;
  return {
    definition,
    options: {
      ...definition,
      load: (input, signal) => list(input, { signal }),
      onOpen: (target) => runCommand({ id: open }, 'row', [target]),
      onCopy: (target) => void copyText(copies(target as Target<E>)),
    },
    rowMenu: (row) => <RowMenu target={toTarget(row)} />,
  };
}

interface RecordListProps<E extends EntityName, S extends string> {
  of: DefinedList<E, S>;
  /** The result of `useList(of.options)`. */
  list: ListData<Entities[E], S>;
  note?: ReactNode;
}

/** The table of a list, with its row menu, its commands for checked rows and its empty state. */
export function RecordList<E extends EntityName, S extends string>({ of, list, note }: RecordListProps<E, S>) {
  const { words, columns, bulk, fill } = of.definition;
  return (
    <ListTable
      list={list}
      columns={columns}
      label={t(words.title)}
      rowMenu={of.rowMenu}
      bulk={bulk?.map((id) => (
        <CommandTrigger key={id} id={id} />
      ))}
      note={note}
      empty={
        <EmptyState title={t(words.none)} action={fill && <CommandTrigger id={fill} look="primary" />}>
          {t(words.empty)}
        </EmptyState>
      }
    />
  );
}

interface ListScreenProps<E extends EntityName, S extends string> extends RecordListProps<E, S> {
  record: Chunk<ComponentType<{ id: string }>>;
  /** Buttons in the header, after `tools`. */
  commands?: readonly CommandId[];
  primary?: CommandId;
  tools?: ReactNode;
  /** Next to the title. */
  state?: ReactNode;
  /** Beside the list, or under it where the screen is narrow. */
  aside?: ReactNode;
  children?: ReactNode;
}

export function ListScreen<E extends EntityName, S extends string>({
  record,
  commands,
  primary,
  tools,
  state,
  aside,
  children,
  ...rest
}: ListScreenProps<E, S>) {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t(rest.of.definition.words.title)} note={state}>
        {tools}
        {commands?.map((id) => (
          <CommandTrigger key={id} id={id} />
        ))}
        {primary && <CommandTrigger id={primary} look="primary" />}
      </PageHeader>
      {aside ? (
        <div className="flex flex-1 flex-col xl:min-h-0 xl:flex-row">
          <div className="flex min-h-96 min-w-0 flex-1 flex-col xl:min-h-0">
            <RecordList {...rest} />
          </div>
          {aside}
        </div>
      ) : (
        <div className="min-h-0 flex-1">
          <RecordList {...rest} />
        </div>
      )}
      <RecordSlot record={record} />
      {children}
    </div>
  );
}

/** Shows the deleted records instead of the list where the address has `?bin`. */
export function withBin(List: ComponentType, bin: BinProps): ComponentType {
  const chunk = createChunk(() =>
    import('../../commands/ui/bin/bin.tsx').then(({ Bin }) => () => <Bin {...bin} />),
  );
  return function ListOrBin() {
    return new URLSearchParams(useSearch()).has('bin') ? <ChunkView of={chunk} /> : <List />;
  };
}

/** A column of times, named for the row's field. */
export const timeColumn = <K extends string>(
  id: K,
  header: TextKey,
  columnOptions: Pick<Column<never>, 'sort' | 'hidden' | 'card' | 'fixed'> & { width?: number } = {},
): Column<{ [N in K]: string | null }> => ({
  id,
  header,
  width: 152,
  ...columnOptions,
  cell: (row) => <TimeText iso={row[id]} />,
});

/** Words of a filter that is true or false. */
export const flagWords = (trueText: TextKey, falseText: TextKey) => (value: string) => t(value === 'true' ? trueText : falseText);

/** Refreshes a list while the page is visible. Null: not now. */
export function useRefresh(resource: string, intervalMs: number | null): void {
  useEffect(() => {
    if (intervalMs === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) void refreshResources([resource]);
    }, intervalMs);
    return () => clearInterval(timer);
  }, [resource, intervalMs]);
}
