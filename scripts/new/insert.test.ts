import { expect, test } from 'vitest';
import { withEntry, withImport } from './insert.ts';

test('an import stands behind the last, however many lines that has', () => {
  const source = `import { one } from './one.ts';\nimport {\n  two,\n} from './two.ts';\n\nexport const all = [one, two];\n`;
  expect(withImport(source, `import { three } from './three.ts';`)).toBe(
    source.replace(`'./two.ts';\n`, `'./two.ts';\nimport { three } from './three.ts';\n`),
  );
});

test('an entry stands last in its list, whatever brackets texts, comments and other lists have', () => {
  const source = `const all = {\n  one: { text: '}', note: \`)\` }, // ]\n  two\n};\nconst more = { three };\n`;
  expect(withEntry(source, 'const all = {', '  four')).toBe(
    `const all = {\n  one: { text: '}', note: \`)\` }, // ]\n  two,\n  four,\n};\nconst more = { three };\n`,
  );
  expect(withEntry('add(\n  one,\n);\n', 'add(', '  two')).toBe('add(\n  one,\n  two,\n);\n');
});

test('an entry stands first where that is asked', () => {
  expect(withEntry('const all = [\n  one,\n];\n', 'const all = [', '  zero', 'first')).toBe(
    'const all = [\n  zero,\n  one,\n];\n',
  );
});

test('a list that is not there, or there twice, is told by how it begins', () => {
  expect(() => withEntry('const one = [];', 'const all = [', 'x')).toThrow('const all = [');
  expect(() => withEntry('f([1]); f([2]);', 'f([', 'x')).toThrow('f([');
});
