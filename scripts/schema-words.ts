import type { JsonSchema } from '../src/commands/app/describe.ts';

export function schemaTypeText(schema: JsonSchema): string {
  const { type, format, items, maxLength, maxItems, anyOf } = schema as {
    type?: string;
    format?: string;
    items?: JsonSchema;
    maxLength?: number;
    maxItems?: number;
    anyOf?: readonly JsonSchema[];
  };
  const choices = schema['enum'] ?? ('const' in schema ? [schema['const']] : null);
  if (Array.isArray(choices)) return choices.map((value) => JSON.stringify(value)).join(' or ');
  if (anyOf) return anyOf.map(schemaTypeText).join(' or ');
  if (format === 'binary') return 'file';
  if (type === 'array') return `list of ${items ? schemaTypeText(items) : 'anything'}${maxItems ? `, at most ${maxItems}` : ''}`;
  if (format === 'uuid') return 'id';
  if (type === 'string') return maxLength ? `text, at most ${maxLength.toLocaleString('en-US')}` : 'text';
  return type ?? 'anything';
}
