import * as z from 'zod/mini';
import {
  bulkOutput,
  deleted,
  filterInput,
  id,
  idsInput,
  items,
  listInput,
  listOutput,
  matchingInput,
  matchingOutput,
  route,
  valuesInput,
  valuesOutput,
} from './base.ts';
import type { Fields as FilterFields } from './filter.ts';
import { historyRoutes, restoreInput } from './history.ts';
import type { Permission } from './names.ts';

/** A resource whose rights are those of records that people write and show to the public: `banners.show` and the others. */
type ShownResource = Permission extends infer Right ? (Right extends `${infer Name}.show` ? Name : never) : never;

interface Schemas<Row, Fields, Edit, Sorts, Filters> {
  /** A record as the API shows it. */
  row: Row;
  /** What a person fills in. */
  fields: Fields;
  /** The same, with the id and the version that was seen. */
  edit: Edit;
  sorts: Sorts;
  /** What the list is filtered by. */
  filters: Filters;
}

/**
 * The routes of records that are listed, added, edited, shown, hidden, deleted and restored, under the resource's own path:
 * reads for whoever may open its screen, each write with the right of its name. The handlers are in
 * server/platform/records/crud.ts and shown.ts.
 */
export function shownRecords<
  Row extends z.ZodMiniType,
  Fields extends z.ZodMiniType,
  Edit extends z.ZodMiniType,
  const Sorts extends readonly [string, ...string[]],
  const Filters extends FilterFields,
>(resource: ShownResource, { row, fields, edit, sorts, filters }: Schemas<Row, Fields, Edit, Sorts, Filters>) {
  const path = `/${resource}` as const;
  const filter = filterInput(filters);
  const reading = route.meta({ menu: path });
  return {
    list: reading
      .route({ method: 'POST', path: `${path}/list` })
      .input(listInput(sorts, filter))
      .output(listOutput(row)),
    /** All that match a filter, for a command that runs on all of them. */
    matching: reading
      .route({ method: 'POST', path: `${path}/matching` })
      .input(matchingInput(filter))
      .output(matchingOutput()),
    /** The values there are of one field, within the rest of the filter. */
    values: reading
      .route({ method: 'POST', path: `${path}/values` })
      .input(valuesInput(filters))
      .output(valuesOutput()),
    /** Those of the asked rows that exist, in the asked order. */
    many: reading
      .route({ method: 'POST', path: `${path}/many` })
      .input(idsInput(id()))
      .output(z.array(row)),
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
      .input(z.strictObject({ items: items() }))
      .output(bulkOutput(row)),
    hide: route
      .meta({ permission: `${resource}.hide` })
      .route({ method: 'POST', path: `${path}/hide` })
      .input(z.strictObject({ items: items() }))
      .output(bulkOutput(row)),
    remove: route
      .meta({ permission: `${resource}.delete` })
      .route({ method: 'POST', path: `${path}/delete` })
      .input(z.strictObject({ items: items() }))
      .output(bulkOutput(deleted())),
    ...historyRoutes(path),
    /** Brings a recorded state back as a new edit. A deleted one comes back under its id, as Not Show. */
    restore: route
      .meta({ permission: `${resource}.restore` })
      .route({ method: 'POST', path: `${path}/restore` })
      .input(restoreInput)
      .output(row),
  };
}
