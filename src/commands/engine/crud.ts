import type { infer as Infer, ZodMiniObject } from 'zod/mini';
import type { RoutePath } from '../../../api/menu.ts';
import type { CommandId } from '../../../api/names.ts';
import type { Api } from '../../lib/net/client.ts';
import { matchingFilterOf, type Entities, type EntityName, type Target } from '../../lib/scope.ts';
import type { RecordFields } from '../../lib/ui/record/fields.ts';
import {
  invocation,
  defineCommand,
  manyTargets,
  blockedBecause,
  noTarget,
  oneTarget,
  type AnyCommand,
  type CommandResult,
  toItemVersion,
  firstOf,
  toItemVersions,
  type ItemVersion,
} from './define.ts';
import { paramSpec, recordParams, rowValues, type ParamSpec } from './fields.ts';
import { addressBeside } from './resource.ts';
import { restoreInvocation, restoreItems, restoreCommand, type restoreInputOf } from './restore.ts';
import type { Ui } from './ui.ts';

type EntitiesWith<Verb extends string> = { [E in EntityName]: `${E}.${Verb}` extends CommandId ? E : never }[EntityName];
type CrudEntity = EntitiesWith<'add'> &
  EntitiesWith<'edit'> &
  EntitiesWith<'delete'> &
  EntitiesWith<'restore'> &
  EntitiesWith<'open'>;
type ShowableEntity = EntitiesWith<'show'> & EntitiesWith<'hide'>;

type FailedItems = NonNullable<CommandResult['failed']>;

/** `entry`: the audit entry of the deletion. */
type DeletedItem = { id: string; entry: string };

interface CrudDefinition<E extends CrudEntity, S extends ZodMiniObject> {
  place: RoutePath;
  /** Entity name in the audit log. */
  entity: string;
  recorded: RecordFields;
  schema: ParamSpec<S>['schema'];
  fields: ParamSpec<S>['fields'];
  initial?: NonNullable<ParamSpec<S>['initial']>;
  /** Form values that the row stores in another form. */
  converted?: (row: Entities[E]) => Partial<Infer<S>>;
  routes: (api: Api) => {
    add: (values: Infer<S>) => Promise<Entities[E]>;
    edit: (values: Infer<S> & ItemVersion) => Promise<Entities[E]>;
    remove: (selection: { items: ItemVersion[] }) => Promise<{ done: DeletedItem[]; failed: FailedItems }>;
    restore: (state: ReturnType<typeof restoreInputOf>) => Promise<Entities[E]>;
  };
}

type IncompatibleKeys<Row, Values> = { [Name in keyof Values]: Row extends Pick<Values, Name> ? never : Name }[keyof Values];
/** Fields whose form type differs from the row type must be converted. */
type ConvertedFields<Row, Values> = Row extends Values
  ? unknown
  : { converted: (row: Row) => Pick<Values, IncompatibleKeys<Row, Values>> };

/**
 * A resource lists the commands that it needs and overrides parts, such as `{ ...crud.add, keys:
 * ['n'] }`.
 */
export function crudCommands<E extends CrudEntity, S extends ZodMiniObject>(
  entityName: E,
  {
    place,
    entity: kind,
    recorded,
    schema,
    fields,
    initial,
    converted,
    routes,
  }: CrudDefinition<E, S> & ConvertedFields<Entities[E], Infer<S>>,
) {
  type V = Infer<S>;
  const namedValues = rowValues(fields);
  const valuesOf = (row: Entities[E]) => ({ ...namedValues(row), ...converted?.(row) }) as V;
  const entity: CrudEntity = entityName;
  const stale = [entity];
  const buildDelete = (rows: readonly ItemVersion[]) => invocation(`${entity}.delete`, { targets: toItemVersions(rows) });
  const buildEdit = (row: ItemVersion, params: V) => invocation(`${entity}.edit`, { targets: toItemVersions([row]), params });
  /** A restored deletion is deleted again. A restored edit gets its earlier values. */
  const buildUndo = (done: { row: ItemVersion; current: unknown }[]): Pick<CommandResult, 'undo'> => {
    const [firstChange, ...otherChanges] = done;
    if (firstChange && otherChanges.length === 0 && firstChange.current !== null)
      return { undo: buildEdit(firstChange.row, valuesOf(firstChange.current as Entities[E])) };
    return done.every(({ current }) => current === null) ? { undo: buildDelete(done.map(({ row }) => row)) } : {};
  };
  return {
    add: {
      id: `${entity}.add`,
      permission: `${entity}.add`,
      icon: 'plus',
      place,
      target: noTarget,
      params: paramSpec(schema, fields, initial),
      danger: 'reversible',
      keys: ['c'],
      run: ({ api, params }: { api: Api; params: V }) => routes(api).add(params),
      done: (row: ItemVersion): CommandResult => ({ stale, undo: buildDelete([row]) }),
    },
    edit: {
      id: `${entity}.edit`,
      permission: `${entity}.edit`,
      icon: 'pencil',
      place,
      target: oneTarget(entity),
      params: recordParams(entityName, schema, fields, valuesOf),
      danger: 'reversible',
      keys: ['e'],
      run: async ({ api, targets, params }: { api: Api; targets: readonly Target<E>[]; params: V }) => {
        const target: { row: Entities[E] } & ItemVersion = firstOf(targets);
        return { row: await routes(api).edit({ ...params, ...toItemVersion(target) }), before: valuesOf(target.row) };
      },
      done: ({ row, before }: { row: ItemVersion; before: V }): CommandResult => ({ stale, undo: buildEdit(row, before) }),
    },
    remove: {
      id: `${entity}.delete`,
      permission: `${entity}.delete`,
      icon: 'trash-2',
      place,
      target: manyTargets(entity, { max: 200, batches: true }),
      params: null,
      danger: 'reversible',
      confirm: true,
      keys: ['#', 'delete'],
      run: ({ api, targets }: { api: Api; targets: readonly ItemVersion[] }) =>
        routes(api).remove({ items: toItemVersions(targets) }),
      done: ({ done, failed }: { done: DeletedItem[]; failed: FailedItems }): CommandResult => ({
        stale,
        failed,
        undo: restoreInvocation(`${entity}.restore`, kind, done),
      }),
    },
    restore: {
      ...restoreCommand(kind, Object.keys(fields), recorded),
      id: `${entity}.restore`,
      permission: `${entity}.restore`,
      place,
      run: ({ api, targets }: { api: Api; targets: readonly Target<'version'>[] }) => restoreItems(targets, routes(api).restore),
      done: ({ done, failed }: { done: { row: ItemVersion; current: unknown }[]; failed: FailedItems }): CommandResult => ({
        stale: [entity, 'audit'],
        failed,
        ...buildUndo(done),
      }),
    },
    open: openCommand(`${entity}.open`, entity, place),
  } as const satisfies Record<string, AnyCommand>;
}

export function showCommands(
  entity: ShowableEntity,
  screenPath: RoutePath,
  routes: (
    api: Api,
  ) => Record<'show' | 'hide', (selection: { items: ItemVersion[] }) => Promise<{ done: ItemVersion[]; failed: FailedItems }>>,
) {
  const command = <Verb extends 'show' | 'hide'>(verb: Verb, icon: 'eye' | 'eye-off', key: string) => {
    const isShown = verb === 'show';
    const changeableTargets = (targets: readonly Target<ShowableEntity>[]) => targets.filter(({ row }) => row.shown !== isShown);
    return {
      id: `${entity}.${verb}`,
      permission: `${entity}.${verb}`,
      icon,
      place: screenPath,
      target: manyTargets(entity, { max: 200, batches: true }),
      params: null,
      when: ({ targets }: { targets: readonly Target<ShowableEntity>[] }) =>
        changeableTargets(targets).length > 0 || blockedBecause(`${entity}.blocked.${isShown ? 'shown' : 'hidden'}`),
      danger: 'reversible',
      confirm: true,
      keys: [key],
      consequences: async ({ targets }: { targets: readonly Target<ShowableEntity>[] }) =>
        matchingFilterOf(targets) ? [] : (await import('./show-review.ts')).reviewShowing(verb, changeableTargets(targets)),
      run: ({ api, targets }: { api: Api; targets: readonly Target<ShowableEntity>[] }) =>
        routes(api)[verb]({ items: toItemVersions(changeableTargets(targets)) }),
      done: ({ done, failed }: { done: ItemVersion[]; failed: FailedItems }): CommandResult => ({
        stale: [entity],
        failed,
        undo: invocation(`${entity}.${isShown ? 'hide' : 'show'}`, { targets: toItemVersions(done) }),
      }),
    } as const satisfies AnyCommand;
  };
  return { show: command('show', 'eye', 's'), hide: command('hide', 'eye-off', 'h') };
}

/** Leads to the deleted records of a list. */
export const binCommand = (id: Extract<CommandId, `${string}.bin`>, screenPath: RoutePath) =>
  defineCommand({
    id,
    permission: screenPath,
    icon: 'trash-2',
    place: screenPath,
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui }: { ui: Pick<Ui, 'navigate'> }) => ui.navigate(`${screenPath}?bin`),
  });

/** Shows the record as on the official website. */
export const previewCommand = <E extends EntityName>(
  id: Extract<CommandId, `${string}.preview`>,
  entity: E,
  screenPath: RoutePath,
) =>
  defineCommand({
    id,
    permission: screenPath,
    icon: 'monitor-smartphone',
    place: screenPath,
    target: oneTarget(entity),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['p'],
    run: ({ ui, targets }: { ui: Pick<Ui, 'navigate'>; targets: readonly { id: string }[] }) =>
      ui.navigate(addressBeside(screenPath, 'preview', firstOf(targets).id)),
  });

export const openCommand = <E extends EntityName>(id: CommandId, entity: E, screenPath: RoutePath) =>
  defineCommand({
    id,
    permission: screenPath,
    icon: 'book-open',
    place: screenPath,
    target: oneTarget(entity),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui, targets }: { ui: Pick<Ui, 'openRecord'>; targets: readonly { id: string }[] }) =>
      ui.openRecord(screenPath, firstOf(targets).id),
  });
