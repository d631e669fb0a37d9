import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { crsm as crsmInEnglish } from './en-US/crsm.ts';
import { crsm as crsmInChinese } from './zh-CN/crsm.ts';

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
