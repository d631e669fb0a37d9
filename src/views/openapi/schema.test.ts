import { expect, test } from 'vitest';
import { linesOf, typeOf } from './schema.ts';

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ anyOf: [{ type: 'string' }, { type: 'string', format: 'date' }] }, 'string'],
  [{ const: 1 }, '1'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{}, 'any'],
])('the type of %j is %s', (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

test('an object has a line per field, and fields of objects and lists below theirs', () => {
  const item = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } }, required: ['id'] };
  expect(
    linesOf({
      type: 'object',
      required: ['items'],
      properties: {
        items: { type: 'array', items: item, maxItems: 200 },
        reason: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] },
        version: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      },
    }),
  ).toEqual([
    { name: 'items', depth: 0, required: true, type: 'object[]', rules: 'maxItems 200' },
    { name: 'id', depth: 1, required: true, type: 'string', rules: 'uuid' },
    { name: 'reason', depth: 0, required: false, type: 'string | null', rules: 'maxLength 5' },
    { name: 'version', depth: 0, required: false, type: 'integer', rules: 'minimum 1' },
  ]);
});

test('a schema without fields has one line without a name', () => {
  expect(linesOf({ type: 'array', items: { type: 'string' } })).toEqual([
    { name: '', depth: 0, required: true, type: 'string[]', rules: '' },
  ]);
});

test('a schema that contains itself ends', () => {
  const node: Record<string, unknown> = { type: 'object' };
  node['properties'] = { child: node };
  expect(linesOf(node).length).toBeLessThan(12);
});
