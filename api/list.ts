import * as z from 'zod/mini';
import { filterInput, idsInput, listInput, listOutput, route, valuesInput, valuesOutput } from './base.ts';
import type { Fields } from './filter.ts';
import type { MenuPath } from './menu.ts';

export function listRoutes<
  Path extends string,
  Row extends z.ZodMiniType,
  const Sorts extends readonly [string, ...string[]],
  const Filters extends Fields,
  Id extends z.ZodMiniType,
>(path: `/${Path}`, { menu, id, row, sorts, filters }: { menu: MenuPath; id: Id; row: Row; sorts: Sorts; filters: Filters }) {
  const readMeta = route.meta({ menu });
  return {
    list: readMeta
      .route({ method: 'POST', path: `${path}/list` })
      .input(listInput(sorts, filterInput(filters)))
      .output(listOutput(row)),
    values: readMeta
      .route({ method: 'POST', path: `${path}/values` })
      .input(valuesInput(filters))
      .output(valuesOutput()),
    many: readMeta
      .route({ method: 'POST', path: `${path}/many` })
      .input(idsInput(id))
      .output(z.array(row)),
  };
}
