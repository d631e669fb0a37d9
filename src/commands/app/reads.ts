import { api, toApiError, type Api } from '../../lib/net/client.ts';
import { CommandError, toCommandError } from '../engine/command-error.ts';
import type { EntityName, Target } from '../../lib/scope.ts';
import type { CommandId } from '../../../api/names.ts';
import type { FieldOption, TreeOption } from '../engine/fields.ts';
import { registry } from './all.ts';
import { scriptRefusal } from './answer.ts';
import { assessCommand } from './context.ts';
import { loaders } from './loaders.ts';

/** `filter` in URL form. `limit` defaults to 200. */
export interface ListRequest {
  filter?: Record<string, string>;
  sort?: string;
  direction?: 'asc' | 'desc';
  limit?: number;
}

type Read = (input: unknown) => Promise<{ rows: unknown[]; nextCursor: string | null }>;

const max = 200;

export async function readList(list: string, { filter = {}, sort, direction = 'desc', limit = max }: ListRequest = {}) {
  const read = (api as unknown as Record<string, { list: Read } | undefined>)[list]?.list;
  if (!read) throw new Error(`there is no list ${list}`);
  const rows: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Read>> = await withCommandErrors(
      read({ filter, sort, direction, cursor, limit: Math.min(max, limit - rows.length) }),
    );
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < limit);
  return rows;
}

export async function readRecord(entity: EntityName, id: string): Promise<unknown> {
  const [found] = await loadTargets(entity, [id]);
  return found?.row ?? null;
}

function loadTargets(entity: EntityName, ids: readonly string[]): Promise<readonly Target[]> {
  const load: (from: Api, ids: readonly string[]) => Promise<readonly Target[]> = loaders[entity];
  return withCommandErrors(load(api, ids));
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
  const known = command.params?.fields[field];
  const { target } = command;
  const signal = new AbortController().signal;
  const targets = target.kind === 'none' ? [] : await loadTargets(target.entity, ids);
  const context = { api, targets, signal, query, values: params };
  if (known?.as === 'pick' || known?.as === 'picks')
    return (await withCommandErrors(known.options(context))).filter(({ blocked }) => blocked === undefined);
  if (known?.as === 'tree') return withCommandErrors(known.nodes(context));
  throw new Error(`${id} has no field ${field} with options to load`);
}

async function withCommandErrors<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (thrown) {
    throw Object.assign(new Error(), await scriptRefusal(toCommandError(toApiError(thrown)), ''));
  }
}
