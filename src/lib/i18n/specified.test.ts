import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { crsm as crsmInEnglish } from './en-US/crsm.ts';
import { overview as overviewInEnglish } from './en-US/statistics/overview.ts';
import { crsm as crsmInChinese } from './zh-CN/crsm.ts';
import { overview as overviewInChinese } from './zh-CN/statistics/overview.ts';
import { overviewMetricIds } from '../../commands/statistics/overview-figures.ts';

const contractNames = [
  'TRGCR(%)',
  'TARCR(%)',
  'MAX_TARCR(%)',
  'debtGasCompensation',
  'deposits',
  'yieldGains',
  'debtTokenBalance',
  'collateralGains',
  'trove_Coll',
  'trove_debt',
  'trove_interest',
];

test.each([
  ['en-US', crsmInEnglish.field],
  ['zh-CN', crsmInChinese.field],
])('each figure of a CRSM shows its name in the contract (specification §3, %s)', (_, labels) => {
  const labelTexts = Object.values(labels);
  const missingNames = contractNames.filter((name) => !labelTexts.some((label) => label.includes(name)));
  expect(missingNames).toEqual([]);
});

test('each figure of the overview shows its specified name (§2)', () => {
  expect([...overviewMetricIds]).toEqual(['bridgeBtc', 'mintYu', 'userCount', 'vaultBtc']); // a tile shows its ID
  for (const { field } of [overviewInEnglish, overviewInChinese]) expect(field.at).toContain('time');
});

/** They inform and follow no operation. */
const informingTexts = ['value.allExact', 'form.merged'];

test('every success message starts with words of the specification (§8)', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
  );
  const successTexts = files.flatMap((file) =>
    [...readFileSync(`src/${file}`, 'utf8').matchAll(/kind: 'success', text: t\('([\w.]+)'/g)].map(([, key]) => key ?? ''),
  );
  expect(successTexts.length).toBeGreaterThan(6);
  expect(successTexts.filter((key) => !key.startsWith('common.') && !informingTexts.includes(key))).toEqual([]);
});
