import { api, toApiError, type Api } from '../../lib/net/client.ts';
import { CommandError, toCommandError } from '../engine/command-error.ts';
import type { EntityName, Target } from '../../lib/scope.ts';
import type { CommandId } from '../../../api/names.ts';
import type { FieldOption, TreeOption } from '../engine/fields.ts';
import { registry } from './all.ts';
import { buildScriptRefusal } from './script-result.ts';
import { assessCommand } from './context.ts';
import { loaders } from './loaders.ts';

/** `filter` in URL form. `limit` defaults to 200. */
export interface ListRequest {
  filter?: Record<string, string>;
  sort?: string;
  direction?: 'asc' | 'desc';
  limit?: number;
}

type ReadFunction = (input: unknown) => Promise<{ rows: unknown[]; nextCursor: string | null }>;

const maxPageSize = 200;

export async function readList(list: string, { filter = {}, sort, direction = 'desc', limit = maxPageSize }: ListRequest = {}) {
  const listRoute = (api as unknown as Record<string, { list: ReadFunction } | undefined>)[list]?.list;
  if (!listRoute) throw new Error(`there is no list ${list}`);
  const rows: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<ReadFunction>> = await withCommandErrors(
      listRoute({ filter, sort, direction, cursor, limit: Math.min(maxPageSize, limit - rows.length) }),
    );
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < limit);
  return rows;
}

export async function readRecord(entity: EntityName, id: string): Promise<unknown> {
  const [target] = await loadTargets(entity, [id]);
  return target?.row ?? null;
}

function loadTargets(entity: EntityName, ids: readonly string[]): Promise<readonly Target[]> {
  const loadEntity: (apiClient: Api, ids: readonly string[]) => Promise<readonly Target[]> = loaders[entity];
  return withCommandErrors(loadEntity(api, ids));
}

/** `params`: what the form already holds. `query`: what the person types. */
export interface OptionsRequest {
  field: string;
  targets?: readonly string[];
  params?: Record<string, unknown>;
  query?: string;
}

/** The options of a list or tree field in a command's form. */
export async function readOptions(
  id: CommandId,
  { field, targets: ids = [], params = {}, query = '' }: OptionsRequest,
): Promise<(FieldOption | TreeOption)[]> {
  const command = registry.get(id);
  if (!command || assessCommand(command).state === 'hidden')
    throw new CommandError('UNKNOWN_COMMAND', `there is no command ${id} for this account`);
  const knownField = command.params?.fields[field];
  const { target } = command;
  const signal = new AbortController().signal;
  const targets = target.kind === 'none' ? [] : await loadTargets(target.entity, ids);
  const context = { api, targets, signal, query, values: params };
  if (knownField?.as === 'pick' || knownField?.as === 'picks')
    return (await withCommandErrors(knownField.options(context))).filter(({ blocked }) => blocked === undefined);
  if (knownField?.as === 'tree') return withCommandErrors(knownField.nodes(context));
  throw new Error(`${id} has no field ${field} with options to load`);
}

async function withCommandErrors<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (cause) {
    throw Object.assign(new Error(), await buildScriptRefusal(toCommandError(toApiError(cause)), ''));
  }
}
