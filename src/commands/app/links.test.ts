import { describe, expect, test } from 'vitest';
import { isSecret } from '../../lib/ui/form/field-view.ts';
import { registry } from './all.ts';
import type { ParamField } from '../engine/fields.ts';
import { linkOf, parseLink, screenOfCommand } from './links.ts';

test('a link contains a command, its targets and only its own parameters', () => {
  expect(parseLink('/~news.edit', '?id=a&id=b&title=x&evil=1&__proto__=2&constructor=3')).toEqual({
    id: 'news.edit',
    targets: ['a', 'b'],
    params: { title: 'x' },
  });
  expect(parseLink('/~go.home', '')).toEqual({ id: 'go.home' });
  expect(parseLink('/~constructor', '')).toBeNull();
  expect(parseLink('/news', '')).toBeNull();
});

test('lists, flags and times are parsed by field, and invalid values stay as written', () => {
  expect(parseLink('/~news.get', '?ids=a&ids=b%26c')).toMatchObject({ params: { ids: ['a', 'b&c'] } });
  expect(parseLink('/~roles.add', '?needsFactor=true')).toMatchObject({ params: { needsFactor: true } });
  expect(parseLink('/~roles.add', '?needsFactor=banana')).toMatchObject({ params: { needsFactor: 'banana' } });
  expect(parseLink('/~notices.add', '?startsAt=&platform=nowhere')).toMatchObject({
    params: { startsAt: null, platform: 'nowhere' },
  });
});

test('secrets are neither read from a link nor written into one', () => {
  expect(parseLink('/~session.changePassword', '?current=a&password=b&code=c')).toEqual({ id: 'session.changePassword' });
  expect(linkOf({ id: 'session.changePassword', params: { current: 'a', password: 'b', code: 'c' } })).toBe(
    '/~session.changePassword',
  );
});

test('a link beyond the length limit is ignored, and a link with too many targets keeps one more than allowed, so that it is refused', () => {
  expect(parseLink('/~news.add', `?title=${'x'.repeat(20_000)}`)).toBeNull();
  const longQuery = Array.from({ length: 500 }, (_, index) => `id=${index}`).join('&');
  expect(parseLink('/~news.show', `?${longQuery}`)?.targets).toHaveLength(201);
});

test('a link opens the screen of its command', () => {
  expect(screenOfCommand({ id: 'news.edit' })).toBe('/news');
  expect(screenOfCommand({ id: 'theme.set' })).toBe('/');
});

const specialCharacters = 'a & b=c?#%+ "quoted" <i>换行\n第二行</i> 😀';

function sampleValuesOf(field: ParamField): unknown[] {
  switch (field.as) {
    case 'flag':
      return [true, false];
    case 'picks':
    case 'tree':
      return [['one'], ['one', specialCharacters], []];
    case 'choice':
      return field.options.map(({ value }) => value);
    case 'number':
      return ['0', '-7', '123456789012345678901234567890'];
    case 'units':
      return ['1500000000000000000', ''];
    case 'time':
      return ['2026-11-21T20:45:00.000Z', ...(field.optional ? [null] : [''])];
    case 'pick':
    case 'text':
    case 'multiline':
    case 'bands':
    case 'url':
    case 'picture':
      return [specialCharacters, ''];
    case 'secret':
    case 'code':
    case 'file':
      return [];
  }
}

describe('every command survives a round trip through its own link', () => {
  for (const { id, target, params } of registry.all.filter((command) => command.params)) {
    const fields = Object.entries(params?.fields ?? {});
    test(`${id}`, () => {
      expect(fields.map(([name]) => name)).not.toContain('id'); // the id names the targets
      const targets = target.kind === 'none' ? {} : { targets: target.kind === 'one' ? ['a b&c'] : ['a', 'b&c'] };
      const roundCount = Math.max(...fields.map(([, field]) => sampleValuesOf(field).length));
      for (let round = 0; round < roundCount; round++) {
        const sampleParams = fields.flatMap(([name, field]) => {
          const values = sampleValuesOf(field);
          return isSecret(field) ? [] : [[name, values[round % values.length]] as const];
        });
        const invocation = { id, ...targets, ...(sampleParams.length > 0 ? { params: Object.fromEntries(sampleParams) } : {}) };
        const { pathname, search } = new URL(linkOf(invocation), 'https://panel.example');
        expect(parseLink(pathname, search)).toEqual(invocation);
      }
    });
  }
});
