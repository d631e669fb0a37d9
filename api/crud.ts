import * as z from 'zod/mini';
import { bulkOutput, deletedOutput, filterInput, idSchema, itemsInput, matchingInput, matchingOutput, route } from './base.ts';
import type { Fields as FilterFields } from './filter.ts';
import { binRoute, historyRoutes, restoreInput } from './history.ts';
import type { Permission } from './names.ts';
import { listRoutes } from './list.ts';

type ShowableResourceName = Permission extends infer Right ? (Right extends `${infer Name}.show` ? Name : never) : never;

interface Schemas<Row, Fields, Edit, Sorts, Filters> {
  row: Row;
  fields: Fields;
  edit: Edit;
  sorts: Sorts;
  filters: Filters;
}

export function createShowableRoutes<
  Row extends z.ZodMiniType,
  Fields extends z.ZodMiniType,
  Edit extends z.ZodMiniType,
  const Sorts extends readonly [string, ...string[]],
  const Filters extends FilterFields,
>(resource: ShowableResourceName, { row, fields, edit, sorts, filters }: Schemas<Row, Fields, Edit, Sorts, Filters>) {
  const path = `/${resource}` as const;
  const filter = filterInput(filters);
  const menuRoute = route.meta({ menu: path });
  return {
    ...listRoutes(path, { menu: path, id: idSchema(), row, sorts, filters }),
    bin: binRoute(path),
    matching: menuRoute
      .route({ method: 'POST', path: `${path}/matching` })
      .input(matchingInput(filter))
      .output(matchingOutput()),
    add: route
      .meta({ permission: `${resource}.add` })
      .route({ method: 'POST', path })
      .input(fields)
      .output(row),
    edit: route
      .meta({ permission: `${resource}.edit` })
      .route({ method: 'PUT', path })
      .input(edit)
      .output(row),
    show: route
      .meta({ permission: `${resource}.show`, fresh: true })
      .route({ method: 'POST', path: `${path}/show` })
      .input(z.strictObject({ items: itemsInput() }))
      .output(bulkOutput(row)),
    hide: route
      .meta({ permission: `${resource}.hide` })
      .route({ method: 'POST', path: `${path}/hide` })
      .input(z.strictObject({ items: itemsInput() }))
      .output(bulkOutput(row)),
    remove: route
      .meta({ permission: `${resource}.delete` })
      .route({ method: 'POST', path: `${path}/delete` })
      .input(z.strictObject({ items: itemsInput() }))
      .output(bulkOutput(deletedOutput())),
    ...historyRoutes(path),
    restore: route
      .meta({ permission: `${resource}.restore` })
      .route({ method: 'POST', path: `${path}/restore` })
      .input(restoreInput)
      .output(row),
  };
}
