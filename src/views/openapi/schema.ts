import type { JsonSchema } from './document.ts';

/** A line of a schema, in words of JSON Schema. */
export interface SchemaLine {
  name: string;
  depth: number;
  required: boolean;
  type: string;
  /** Such as `maxLength 200`. */
  rules: string;
}

const maxDepth = 8;
const limitKeywords = [
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'pattern',
  'default',
] as const;
const numberLimits = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** An object's fields, each followed by its own. Anything else is one line without a name. */
export function linesOf(schema: JsonSchema): SchemaLine[] {
  const fields = fieldsOf(schema, 0);
  return fields.length > 0 ? fields : [{ name: '', depth: 0, required: true, type: typeOf(schema), rules: rulesOf(schema) }];
}

function fieldsOf(schema: JsonSchema, depth: number): SchemaLine[] {
  const innerSchema = innerObject(schema);
  if (!innerSchema || depth > maxDepth) return [];
  const required = new Set(innerSchema['required'] as readonly string[] | undefined);
  return Object.entries(innerSchema['properties'] as Record<string, JsonSchema>).flatMap(([name, field]) => [
    { name, depth, required: required.has(name), type: typeOf(field), rules: rulesOf(field) },
    ...fieldsOf(field, depth + 1),
  ]);
}

/** The object itself, in a list, or the only one that may also be null. */
function innerObject(schema: JsonSchema): JsonSchema | null {
  if (schema['properties']) return schema;
  if (isSchema(schema['items'])) return innerObject(schema['items']);
  const [onlyChoice, ...otherChoices] = choicesOf(schema).filter((choice) => choice['type'] !== 'null');
  return onlyChoice && otherChoices.length === 0 ? innerObject(onlyChoice) : null;
}

export function typeOf(schema: JsonSchema): string {
  const choices = choicesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(' | ');
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (schema['type'] === 'array') {
    const item = isSchema(schema['items']) ? typeOf(schema['items']) : 'any';
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (Array.isArray(schema['type'])) return schema['type'].join(' | ');
  return typeof schema['type'] === 'string' ? schema['type'] : 'any';
}

function rulesOf(schema: JsonSchema): string {
  const ownRules = limitKeywords.flatMap((limit) => {
    const value = schema[limit];
    // Zod writes the range of safe integers for every integer.
    if (value === undefined || (limit in numberLimits && value === numberLimits[limit as 'minimum'])) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [limit === 'format' ? text : `${limit} ${text}`];
  });
  const nestedRules = choicesOf(schema).map(rulesOf).filter(Boolean);
  return [...new Set([...ownRules, ...nestedRules])].join(', ');
}

const choicesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword].filter(isSchema) : []));

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
