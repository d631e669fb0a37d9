import { createBadRequest } from './scim-error.ts';
import { readObject, readOwn, stripCoreSchema } from './values.ts';

/** One change of one attribute. `path` is only ever looked up in a fixed table. */
export interface Change {
  kind: 'add' | 'replace' | 'remove';
  path: string;
  value: unknown;
  /** Named by a key of a value, not by a path. */
  isPathless: boolean;
}

const maxOperations = 1_000;
const maxPathLength = 500;
const kinds: ReadonlyMap<unknown, Change['kind']> = new Map([
  ['add', 'add'],
  ['replace', 'replace'],
  ['remove', 'remove'],
]);

/** Of a PATCH body, in order. Throws invalidSyntax, noTarget, invalidPath or invalidValue. */
export function readPatch(body: unknown): Change[] {
  const entries = new Map(readObject(body).map(([key, value]) => [key.toLowerCase(), value]));
  const operations = entries.get('operations');
  if (!Array.isArray(operations) || operations.length > maxOperations)
    throw createBadRequest('invalidSyntax', `Operations must be a list of at most ${maxOperations}.`);
  return (operations as unknown[]).flatMap(readOperation);
}

function readOperation(operation: unknown): Change[] {
  const entries = Object.fromEntries(readObject(operation).map(([key, value]) => [`_${key.toLowerCase()}`, value]));
  const { _op: op, _path: path, _value: value } = entries;
  const kind = kinds.get(typeof op === 'string' ? op.toLowerCase() : op);
  if (!kind) throw createBadRequest('invalidSyntax', 'An operation must be add, replace or remove.');
  if (path === undefined || path === null || path === '') return readPathless(kind, value);
  if (typeof path !== 'string' || path.length > maxPathLength) throw createBadRequest('invalidPath', 'The path can’t be used.');
  return [{ kind, path: normalizePath(path), value, isPathless: false }];
}

function readPathless(kind: Change['kind'], value: unknown): Change[] {
  if (kind === 'remove') throw createBadRequest('noTarget', 'A remove operation needs a path.');
  return readAttributes(value, kind);
}

/** Of a whole resource. `name` is taken apart. Throws invalidSyntax. */
export const readAttributes = (resource: unknown, kind: Change['kind'] = 'replace'): Change[] =>
  readObject(resource).flatMap(([key, value]): Change[] => {
    if (key.length > maxPathLength) return [];
    const path = normalizePath(key);
    if (path === 'name' && typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.entries(value).map(([part, partValue]) => ({
        kind,
        path: `name.${part.toLowerCase()}`,
        value: partValue,
        isPathless: true,
      }));
    return [{ kind, path, value, isPathless: true }];
  });

/** Names in lower case, because SCIM ignores their case. Quoted values stay. */
const normalizePath = (path: string): string =>
  stripCoreSchema(path.trim()).replaceAll(/"(?:[^"\\]|\\.)*"|[^"]+/g, (part) =>
    part.startsWith('"') ? part : part.toLowerCase(),
  );

/** The value in `members[value eq "…"]`. Null: another path. */
export function readMemberPath(path: string): string | null {
  const match = /^members\[\s*value\s+eq\s+"([^"\\]*)"\s*\]$/.exec(path);
  return match?.[1] ?? null;
}

/** Of `operation`-like objects in lists. */
export const readItemValue = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? readOwn(item, 'value') : item;
