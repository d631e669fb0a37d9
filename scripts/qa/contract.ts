import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { contract as routes } from '../../api/contract.ts';
import { listContractRoutes } from '../../api/route.ts';
import { registry } from '../../src/commands/app/all.ts';
import { describe, type JsonSchema } from '../../src/commands/app/describe.ts';
import type { ResultTypes } from './results.ts';

/** docs/commands.json. Types are TypeScript text. */
export interface Contract {
  version: string;
  rows: Record<string, string>;
  lists: Record<string, ListContract>;
  commands: Record<string, CommandContract>;
}

export interface ListContract {
  sorts: readonly string[];
  filter: readonly string[];
  row: string;
}

export interface CommandContract {
  permission: string;
  danger: string;
  confirms: boolean;
  /** Null: none. `max` at a time. */
  targets: { of: string; max: number } | null;
  params: Record<string, { required: boolean; type: string }>;
  /** Type of `value`. `done` follows from it (qa/kit/result.ts). */
  result: string;
}

const propertyOf = (schema: JsonSchema, name: string) => (schema['properties'] as Record<string, JsonSchema> | undefined)?.[name];

/** Paged resources. */
function listInputs(): Record<string, Omit<ListContract, 'row'>> {
  const listContracts: Record<string, Omit<ListContract, 'row'>> = {};
  for (const { path, input: schema } of listContractRoutes(routes)) {
    const [name = '', verb] = path;
    if (verb !== 'list' || !schema) continue;
    const input = z.toJSONSchema(schema as z.ZodMiniType, { io: 'input', unrepresentable: 'any' });
    const sort = propertyOf(input, 'sort');
    if (!sort) continue;
    const filter = propertyOf(input, 'filter');
    listContracts[name] = {
      sorts: (sort['enum'] ?? [sort['const']]) as string[],
      filter: Object.keys((filter?.['properties'] ?? {}) as object),
    };
  }
  return listContracts;
}

export const listNames = (): string[] => Object.keys(listInputs());

export async function contractOf(types: ResultTypes): Promise<Contract> {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  const rowNames = new Map(Object.entries(types.rows).map(([name, text]) => [text, `Rows['${name}']`]));
  // A name may contain another.
  const longestFirst = [...rowNames].toSorted(([one], [other]) => other.length - one.length);
  const shortenType = (text: string) => longestFirst.reduce((shortened, [row, name]) => shortened.replaceAll(row, name), text);
  const sheets = await Promise.all(registry.all.map((command) => describe(command)));
  return {
    version,
    rows: types.rows,
    lists: Object.fromEntries(
      Object.entries(listInputs()).map(([name, input]) => [name, { ...input, row: shortenType(types.lists[name] ?? 'unknown') }]),
    ),
    commands: Object.fromEntries(
      sheets
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, permission, danger, confirms, target, params }) => [
          id,
          {
            permission,
            danger,
            confirms,
            targets: target === 'none' ? null : { of: target.entity, max: target.kind === 'one' ? 1 : target.max },
            params: Object.fromEntries(params.map(({ name, required, schema }) => [name, { required, type: typeOf(schema) }])),
            result: shortenType(types.results[id] ?? 'unknown'),
          },
        ]),
    ),
  };
}

/** A file becomes text. */
function typeOf(schema: JsonSchema): string {
  const choices = schema['enum'] ?? ('const' in schema ? [schema['const']] : null);
  if (Array.isArray(choices)) return choices.map((value) => JSON.stringify(value)).join(' | ');
  const variants = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (variants) return unionOf(variants.map(typeOf));
  switch (schema['type']) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema['type'];
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${schema['items'] ? typeOf(schema['items'] as JsonSchema) : 'unknown'})[]`;
    case 'object':
      return objectOf(schema);
    default:
      return 'unknown';
  }
}

/** Files are text. */
function unionOf(types: readonly string[]): string {
  const shortened = new Set(types);
  return [...shortened].filter((type) => !shortened.has('string') || (type !== 'unknown' && !type.startsWith('"'))).join(' | ');
}

function objectOf(schema: JsonSchema): string {
  const required = new Set((schema['required'] ?? []) as string[]);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const additionalProperties = schema['additionalProperties'];
  if (properties.length === 0)
    return `Readonly<Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties as JsonSchema) : 'unknown'}>>`;
  return `{ ${properties.map(([name, property]) => `${name}${required.has(name) ? '' : '?'}: ${typeOf(property)}`).join('; ')} }`;
}
