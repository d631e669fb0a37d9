import { expect, test } from 'vitest';
import { appendEntry } from './insert.ts';

test('appends an entry to its list, ignoring brackets in texts, comments and other lists', () => {
  const source = `const all = {\n  one: { text: '}', note: \`)\` }, // ]\n  two\n};\nconst more = { three };\n`;
  expect(appendEntry(source, 'const all = {', '  four')).toBe(
    `const all = {\n  one: { text: '}', note: \`)\` }, // ]\n  two,\n  four,\n};\nconst more = { three };\n`,
  );
  expect(appendEntry('add(\n  one,\n);\n', 'add(', '  two')).toBe('add(\n  one,\n  two,\n);\n');
});

test('names a list that is missing or ambiguous', () => {
  expect(() => appendEntry('const one = [];', 'const all = [', 'x')).toThrow('const all = [');
  expect(() => appendEntry('f([1]); f([2]);', 'f([', 'x')).toThrow('f([');
});
