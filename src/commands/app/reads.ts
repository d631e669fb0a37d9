import { api, toApiError, type Api } from '../../lib/net/client.ts';
import { toCommandError } from '../engine/command-error.ts';
import type { EntityName } from '../../lib/scope.ts';
import { scriptRefusal } from './answer.ts';
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
  const read: (from: Api, ids: readonly string[]) => Promise<readonly { row: unknown }[]> = loaders[entity];
  const [found] = await withCommandErrors(read(api, [id]));
  return found?.row ?? null;
}

async function withCommandErrors<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (thrown) {
    throw Object.assign(new Error(), await scriptRefusal(toCommandError(toApiError(thrown)), ''));
  }
}
