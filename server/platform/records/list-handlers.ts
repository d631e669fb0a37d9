import { and, inArray, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { RequestContext } from '../services/context.ts';
import { inRequestedOrder, listRows, type ListInput } from './list.ts';

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

export function listHandlers<Table extends PgTable, Sort extends string, Filter, Values, Found, Row extends { id: string }>({
  table,
  sorts,
  filter,
  present,
  only,
  last,
}: ListDefinition<Table, Sort, Filter, Values, Found, Row>) {
  const filterFor = async (context: RequestContext) => (typeof filter === 'function' ? filter(context) : filter);
  const plain: PgTable = table;
  return {
    list: async ({ input, context }: { input: ListInput<Sort> & { filter: Filter }; context: RequestContext }) => {
      const { where } = await filterFor(context);
      const page = await listRows(context, input, {
        table,
        id: table.id,
        sorts,
        where: await where(context, input.filter),
        last: last?.(context),
        present: (row) => row,
      });
      return { ...page, rows: await present(context, page.rows) };
    },

    values: async (call: { input: Values; context: RequestContext }) => (await filterFor(call.context)).values(call),

    many: async ({ input, context }: { input: { ids: readonly string[] }; context: RequestContext }) => {
      const rows = await context.db
        .select()
        .from(plain)
        .where(and(inArray(table.id, [...input.ids]), only));
      return inRequestedOrder(input.ids, await present(context, rows as Table['$inferSelect'][]));
    },
  };
}
