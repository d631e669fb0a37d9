import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Row {
  row: string;
  ids: string[];
  state: string;
  proof: string;
}

const text = readFileSync('docs/asvs.md', 'utf8');
const rows: Row[] = text.split('\n').flatMap((line) => {
  const [, row = '', ids = '', , state = '', proof = ''] = line.split(' | ').join('|').replace(/^\| /, '|').split('|');
  return /^[AX]\d\d$/.test(row) ? [{ row, ids: ids.split(', '), state, proof }] : [];
});

test('docs/asvs.md has every row and requirement once', () => {
  const numberedIds = (letter: string, lastNumber: number) =>
    Array.from({ length: lastNumber }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`);
  expect(rows.map(({ row }) => row).toSorted()).toEqual([...numberedIds('A', 92), ...numberedIds('X', 32)]);
  const ids = rows.flatMap((row) => row.ids);
  expect(ids.filter((id) => !/^V\d{1,2}\.\d\.\d{1,2}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('docs/asvs.md gives each row a state and states the totals', () => {
  const totals = new Map(['met', 'partly', 'not met', 'does not apply'].map((state) => [state, 0]));
  for (const { row, state } of rows) {
    expect([...totals.keys()], row).toContain(state);
    totals.set(state, (totals.get(state) ?? 0) + 1);
  }
  expect(text).toContain(`**${[...totals].map(([state, count]) => `${count} ${state}`).join(', ')}.**`);
});

describe.each([
  ['docs/asvs.md', rows.map(({ row, proof }) => [row, proof] as const)],
  ['docs/security-findings.md', [['findings', readFileSync('docs/security-findings.md', 'utf8')] as const]],
  ['docs/security.md', [['prose', readFileSync('docs/security.md', 'utf8')] as const]],
])('%s', (_file, proofs) => {
  test.each(proofs)('%s cites existing paths and test titles', (_row, proof) => {
    for (const [, path = '', titles = ''] of proof.matchAll(/`([\w.-]+\/[\w./-]+\.tsx?)`((?:[,;]? “[^”]+”)*)/g)) {
      expect(existsSync(path), path).toBe(true);
      const source = readFileSync(path, 'utf8');
      for (const [, title = ''] of titles.matchAll(/“([^”]+)”/g))
        expect(
          [`'${title}'`, `\`${title}\``, `"${title}"`].some((quotedTitle) => source.includes(quotedTitle)),
          `${path}: ${title}`,
        ).toBe(true);
    }
  });
});

test('docs/asvs.md has a proof for each row that is met', () => {
  const rowsWithoutProof = rows.filter(
    ({ state, proof }) => state === 'met' && !/`[\w./-]+\.tsx?`|\]\(\w+\.md(?:#[\w-]+)?\)/.test(proof),
  );
  expect(rowsWithoutProof.map(({ row }) => row)).toEqual(['A46']); // an absence cannot be tested
});
