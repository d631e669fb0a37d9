import type { RouteMeta } from '../../../api/route.ts';
import type { Name } from '../../../api/naming.ts';
import { foldText } from '../../lib/fold-text.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Operation {
  id: string;
  method: string;
  path: string;
  name: Name | null;
  access: RouteMeta;
  parameters: readonly Parameter[];
  body: JsonSchema | null;
  response: JsonSchema | null;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: JsonSchema;
}

export interface Group {
  tag: string;
  name: Name | null;
  operations: readonly Operation[];
}

type Json = Readonly<Record<string, unknown>>;

interface Content {
  content?: Readonly<Record<string, { schema?: JsonSchema }>>;
}

/** What server/openapi/document.ts writes. */
interface OpenApiOperation {
  operationId: string;
  tags: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses?: Readonly<Record<string, Content>>;
  'x-name'?: Name;
  'x-access': RouteMeta;
}

export interface OpenApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  tags: readonly { name: string; 'x-name'?: Name }[];
}

export function isDocument(value: unknown): value is OpenApiDocument {
  return typeof value === 'object' && value !== null && 'paths' in value && Array.isArray((value as Json)['tags']);
}

/** In the order of the document's tags. */
export function groupsOf({ paths, tags }: OpenApiDocument): Group[] {
  const operationsByTag = new Map<string, Operation[]>(tags.map(({ name }) => [name, []]));
  for (const [path, methods] of Object.entries(paths))
    for (const [method, written] of Object.entries(methods))
      operationsByTag.get(written.tags[0] ?? '')?.push(toOperation(`/api${path}`, method.toUpperCase(), written));
  return tags
    .map(({ name, 'x-name': displayName }) => ({
      tag: name,
      name: displayName ?? null,
      operations: operationsByTag.get(name) ?? [],
    }))
    .filter(({ operations }) => operations.length > 0);
}

const toOperation = (path: string, method: string, openApiOperation: OpenApiOperation): Operation => ({
  id: openApiOperation.operationId,
  method,
  path,
  name: openApiOperation['x-name'] ?? null,
  access: openApiOperation['x-access'],
  parameters: openApiOperation.parameters ?? [],
  body: schemaIn(openApiOperation.requestBody),
  response: schemaIn(openApiOperation.responses?.['200']),
});

const schemaIn = (content: Content | undefined): JsonSchema | null =>
  Object.values(content?.content ?? {}).find(({ schema }) => schema !== undefined)?.schema ?? null;

/** Groups and operations that have every typed word. */
export function filterGroups(groups: readonly Group[], query: string): Group[] {
  const words = foldText(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...groups];
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((operation) => {
        const text = textOf(group, operation);
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}

const textOf = ({ tag, name: group }: Group, { id, method, path, name, access }: Operation): string =>
  foldText([tag, group?.zh, group?.en, method, path, id, name?.zh, name?.en, ruleOf(access)].filter(Boolean).join(' '));

/** A command ID, a screen, or null for routes that need neither. */
export function ruleOf(access: RouteMeta): string | null {
  if ('permission' in access) return access.permission;
  return 'menu' in access ? access.menu : null;
}
