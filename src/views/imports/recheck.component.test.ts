import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ImportDetails, RereadInput } from '../../../api/imports/contract.ts';
import { queryClient } from '../../lib/net/query.ts';
import { readCalls, apiFailure, holdResponses, mockRoutes } from '../../testing/api.ts';
import { openPage, signIn } from '../../testing/panel.tsx';

const id = '01900000-0000-7000-8000-000000000001';
const timestamp = '2026-11-27T08:00:00.000Z';

const invalidRow = (line: number): ImportDetails['badRows'][number] => ({
  line,
  cells: ['x', '1', 'old'],
  texts: { address: 'x', berries: '1', reason: `old ${line}` },
  values: null,
  edited: false,
  issues: [{ path: 'address', rule: 'required' }],
});

const firstDetails = (invalidRows: ImportDetails['badRows']): ImportDetails => ({
  row: {
    id,
    version: 1,
    name: 'points.csv',
    sha256: 'a'.repeat(64),
    bytes: 100,
    encoding: 'utf-8',
    delimiter: ',',
    state: 'checked',
    total: invalidRows.length,
    good: 0,
    bad: invalidRows.length,
    edited: 0,
    questions: [],
    totals: { added: '0', removed: '0', largest: null, duplicates: 0 },
    worked: 0,
    imported: 0,
    earlier: null,
    by: 'someone@demo.local',
    createdAt: timestamp,
    startedAt: null,
    endedAt: null,
  },
  reading: { encoding: 'utf-8', delimiter: ',', firstLine: 1, headed: true, comments: true, decimal: '.', zone: 'UTC' },
  head: ['A', 'B', 'C'],
  mapping: { address: 0, berries: 1, reason: 2 },
  fills: {},
  missing: [],
  skipped: { above: [], comments: 0 },
  samples: [],
  shortRows: 0,
  joinedRows: 0,
  unclearNumbers: 0,
  timesWithoutZone: 0,
  uncertain: [],
  first: [],
  badRows: invalidRows,
  repaired: [],
});

/** Opens a points import. Returns a function with which a colleague changes it. */
async function openImport(invalidRows: ImportDetails['badRows']): Promise<(changeDetails: Partial<ImportDetails>) => void> {
  let now = firstDetails(invalidRows);
  const changeDetails = (detailChanges: Partial<ImportDetails>) => {
    now = { ...now, ...detailChanges, row: { ...now.row, ...detailChanges.row, version: now.row.version + 1 } };
    return now;
  };
  const expectVersion = (version: number) => {
    if (version !== now.row.version) throw apiFailure('CONFLICT', { current: now.row });
  };
  const routes = mockRoutes.pointsImports;
  await signIn('all', '/', {
    pointsImports: {
      many: routes.many.handler(() => [now.row]),
      details: routes.details.handler(() => now),
      reread: routes.reread.handler(({ input }) => {
        expectVersion(input.version);
        return changeDetails({ mapping: input.mapping ?? now.mapping });
      }),
      editRows: routes.editRows.handler(({ input }) => {
        expectVersion(input.version);
        const texts = new Map(input.rows.map((row) => [row.line, row.texts]));
        return changeDetails({ badRows: now.badRows.map((row) => ({ ...row, texts: texts.get(row.line) ?? row.texts })) });
      }),
    },
  });
  await openPage(`/points?imports=${id}`);
  await expect.element(columnOf('reason')).toHaveValue('2');
  return changeDetails;
}

const columnOf = (field: string) => page.css(`[data-field="${field}"]`);
const cell = (line: number) => page.css(`[data-line="${line}"] td:nth-child(4) input`);
const recheckButton = () => page.css('[data-imports] button').filter({ hasText: /重新检查/ });
const mappings = () => readCalls('pointsImports/reread').map(({ input }) => input as RereadInput);

test("a change made while a colleague's new mapping is loading is refused and reverts nothing", async () => {
  const changeDetails = await openImport([]);
  const release = holdResponses('pointsImports/details');
  changeDetails({ mapping: { address: 0, berries: 2, reason: 1 } });
  void queryClient.invalidateQueries({ queryKey: ['pointsImports', 'one'] });
  await expect.poll(() => readCalls('pointsImports/details').length).toBe(2);
  await columnOf('reason').selectOptions('');
  await expect.poll(mappings).toMatchObject([{ version: 1 }]);
  release();
  await expect.element(page.css('[data-reading] [role="alert"]')).toBeVisible();
  await expect.element(columnOf('berries')).toHaveValue('2');
  await expect.element(columnOf('reason')).toHaveValue('1');
});

test('a second change is not a conflict while the details after the first one are loading', async () => {
  await openImport([]);
  const release = holdResponses('pointsImports/details');
  await columnOf('reason').selectOptions('0');
  await expect.element(columnOf('reason')).toHaveValue('0');
  await expect.element(page.css('fieldset[aria-busy="true"]')).not.toBeInTheDocument();
  await columnOf('berries').selectOptions('2');
  await expect.element(columnOf('berries')).toHaveValue('2');
  expect(mappings()).toMatchObject([{ version: 1 }, { version: 2, mapping: { berries: 2, reason: 0 } }]);
  release();
  await expect.element(page.css('[data-reading] [role="alert"]')).not.toBeInTheDocument();
});

test('text typed while rows are rechecked is kept', async () => {
  await openImport([invalidRow(2), invalidRow(3)]);
  await cell(2).fill('new 2');
  const release = holdResponses('pointsImports/editRows');
  await recheckButton().click();
  await expect.poll(() => readCalls('pointsImports/editRows')).toHaveLength(1);
  await cell(3).fill('new 3');
  release();
  await expect.element(page.css('fieldset[aria-busy="true"]')).not.toBeInTheDocument();
  await expect.element(cell(3)).toHaveValue('new 3');
  await recheckButton().click();
  await expect.poll(() => readCalls('pointsImports/editRows')).toHaveLength(2);
  expect(readCalls('pointsImports/editRows').map(({ input }) => input)).toMatchObject([
    { version: 1, rows: [{ line: 2, texts: { reason: 'new 2' } }] },
    { version: 2, rows: [{ line: 3, texts: { reason: 'new 3' } }] },
  ]);
});

test('many edited rows are sent in several requests, each with the version of the previous response', async () => {
  const lines = [2, 3, 4, 5, 6, 7, 8, 9];
  await openImport(lines.map(invalidRow));
  for (const line of lines) await cell(line).fill('x'.repeat(9_000));
  await recheckButton().click();
  await expect.poll(() => readCalls('pointsImports/editRows')).toHaveLength(2);
  expect(readCalls('pointsImports/editRows').map(({ input }) => input)).toMatchObject([
    { version: 1, rows: lines.slice(0, 6).map((line) => ({ line })) },
    { version: 2, rows: [{ line: 8 }, { line: 9 }] },
  ]);
  await expect.element(recheckButton()).not.toBeInTheDocument();
});

test('numbers are aligned to the end of their cells in the repair grid and in the preview', async () => {
  const changeDetails = await openImport([invalidRow(2)]);
  changeDetails({ first: [{ ...invalidRow(3), values: { berries: '1200' }, issues: [] }] });
  await queryClient.invalidateQueries({ queryKey: ['pointsImports'] });
  await expect.element(page.css('[data-line="3"] td:nth-child(3)')).toHaveTextContent('1,200');
  for (const selector of ['[data-line="2"] td:nth-child(3) input', '[data-line="3"] td:nth-child(3)', 'thead th:nth-child(3)'])
    await expect.element(page.css(`[data-imports] ${selector}`).first()).toHaveStyle({ textAlign: 'end' });
  await expect.element(cell(2)).toHaveStyle({ textAlign: 'start' });
});

test('changing the number format rereads the file and shows the open question', async () => {
  const changeDetails = await openImport([]);
  changeDetails({ unclearNumbers: 2, row: { ...firstDetails([]).row, questions: ['numbers'] } });
  await queryClient.invalidateQueries({ queryKey: ['pointsImports'] });
  await expect.element(page.css('[data-question="numbers"]')).toHaveTextContent('2 个有效行的数字有歧义');
  await page.css('[data-reading-of="decimal"]').selectOptions(',');
  await expect.poll(mappings).toMatchObject([{ decimal: ',' }]);
});
