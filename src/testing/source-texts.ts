import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import type { ReadText } from './texts.ts';

interface SyntaxNode {
  type: string;
  [name: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null && 'type' in value;

const ignoredProperties = new Set([
  'ImportDeclaration',
  'ImportExpression',
  'TaggedTemplateExpression',
  'TSTypeAnnotation',
  'TSLiteralType',
]);

/** {{count}} for a number of things, otherwise an ellipsis. */
function placeholderOf(value: SyntaxNode | undefined): string {
  const namedNode = value?.type === 'MemberExpression' && isNode(value['property']) ? value['property'] : value;
  return /^(?:n|count|length|size|total|rows|days|hours|minutes|seconds|attempts)$/.test(String(namedNode?.['name']))
    ? '{{count}}'
    : '…';
}

function collectStrings(node: SyntaxNode): string[] {
  if (ignoredProperties.has(node.type)) return [];
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : [];
  const innerStrings = Object.entries(node).flatMap(([name, value]) => {
    if (name === 'key' || name === 'quasis') return [];
    return [value].flat().filter(isNode).flatMap(collectStrings);
  });
  if (node.type !== 'TemplateLiteral') return innerStrings;
  const templateElements = node['quasis'] as readonly { value: { cooked: string } }[];
  const values = node['expressions'] as readonly SyntaxNode[];
  return [
    templateElements
      .map(({ value }, index) => value.cooked + (index < values.length ? placeholderOf(values[index]) : ''))
      .join(''),
    ...innerStrings,
  ];
}

const sql =
  /^\s*(?:select|insert|update|delete|with|create|alter|drop|where|and|or|on|from|set|order by|left join|join|exists|case|coalesce|lock|begin|commit|rollback|truncate|returning|for update|limit|not|analyze|vacuum|reindex|attach|execute|grant|revoke|comment|do|declare|copy|explain|show|start|listen|notify|prepare|deallocate)\b(?=[^A-Z]*$)/;

const code = /^import |\bselect\b[^]*\bfrom\b|<\/?[a-z]+[^<]*>[^]*<\/|\{[\w-]+:|=>|'(?:self|none)'|:not\(|\$!/;

/** At least three English words. */
const isSentence = (text: string): boolean => (text.match(/(?<![\w.-])[A-Za-z][a-z’']*(?=[\s,.:;?!)]|$)/g) ?? []).length >= 3;

const listFiles = (folder: string, isMatch: (file: string) => boolean): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file) && isMatch(file))
    .map((file) => join(folder, file));

export function sourceTexts(folder: string, isMatch: (file: string) => boolean = () => true): ReadText[] {
  return listFiles(folder, isMatch).flatMap((file) =>
    collectStrings(parseSync(file, readFileSync(file, 'utf8')).program as unknown as SyntaxNode)
      .filter((text) => isSentence(text) && !sql.test(text) && !code.test(text))
      .map((text) => ({ key: file, text })),
  );
}
