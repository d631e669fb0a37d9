import { and, inArray, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { RequestContext } from '../services/context.ts';
import { sortByRequestedIds, listRows, type ListInput } from './list.ts';

interface ListFilter<Filter, Values, Found> {
  where: (context: RequestContext, filter: Filter) => Promise<SQL | undefined>;
  values: (call: { input: Values; context: RequestContext }) => Promise<Found>;
}

interface ListDefinition<Table extends PgTable, Sort extends string, Filter, Values, Found, Row> {
  table: Table & { id: PgColumn };
  sorts: Record<Sort, PgColumn>;
  filter:
    | ListFilter<Filter, Values, Found>
    | ((context: RequestContext) => ListFilter<Filter, Values, Found> | Promise<ListFilter<Filter, Values, Found>>);
  present: (context: RequestContext, rows: Table['$inferSelect'][]) => Row[] | Promise<Row[]>;
  /** Rows that `many` may return. */
  only?: SQL | undefined;
  /** Rows that come after all others in every order. */
  last?: (context: RequestContext) => SQL | undefined;
}

export function createListHandlers<
  Table extends PgTable,
  Sort extends string,
  Filter,
  Values,
  Found,
  Row extends { id: string },
>({
  table,
  sorts,
  filter,
  present,
  only: baseCondition,
  last: lastCondition,
}: ListDefinition<Table, Sort, Filter, Values, Found, Row>) {
  const resolveFilter = async (context: RequestContext) => (typeof filter === 'function' ? filter(context) : filter);
  const plainTable: PgTable = table;
  return {
    list: async ({ input, context }: { input: ListInput<Sort> & { filter: Filter }; context: RequestContext }) => {
      const { where: listCondition } = await resolveFilter(context);
      const page = await listRows(context, input, {
        table,
        id: table.id,
        sorts,
        where: await listCondition(context, input.filter),
        last: lastCondition?.(context),
        present: (row) => row,
      });
      return { ...page, rows: await present(context, page.rows) };
    },

    values: async (call: { input: Values; context: RequestContext }) => (await resolveFilter(call.context)).values(call),

    many: async ({ input, context }: { input: { ids: readonly string[] }; context: RequestContext }) => {
      const rows = await context.db
        .select()
        .from(plainTable)
        .where(and(inArray(table.id, [...input.ids]), baseCondition));
      return sortByRequestedIds(input.ids, await present(context, rows as Table['$inferSelect'][]));
    },
  };
}
