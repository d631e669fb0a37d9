import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EvmError } from '../../lib/evm/problem.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { enResources } from '../../lib/i18n/en-US/resources.ts';
import { zhResources } from '../../lib/i18n/zh-CN/resources.ts';
import { toReadableError } from './revert-texts.ts';

const words = (reason: string): string =>
  (toReadableError(new EvmError('reverted', { reason })) as EvmError).values['reason'] ?? '';

const contracts = ['Crsm', 'CrsmFactory', 'StabilityPool'].flatMap((name) => {
  const source = readFileSync(new URL(`../../../chain/contracts/${name}.sol`, import.meta.url), 'utf8');
  return [...source.matchAll(/"((?:CRSM|CRSMFactory|SP): [^"]+|![^"]+)"/g)].map(([, text]) => text ?? '');
});
const ofTroveManagersOnly = ['SP: not a trove manager', 'SP: not enough to offset'];

test.each([
  ['zh-CN', zhResources],
  ['en-US', enResources],
] as const)('every contract refusal has words in %s', (locale, dictionary) => {
  setDictionary(locale, dictionary);
  const said = contracts.filter((text) => !ofTroveManagersOnly.includes(text));
  expect(said.length).toBeGreaterThan(15);
  for (const text of said) expect(words(text), text).not.toBe(text);
});

test('contract errors show values in units, and unknown errors are shown unchanged', () => {
  setDictionary('en-US', enResources);
  const [has, needs] = [15n * 10n ** 17n, 20n * 10n ** 18n];
  expect(words(`ERC20InsufficientAllowance(0xabc, ${has}, ${needs})`)).toBe('the YU allowance is 1.5, but 20 is needed');
  expect(words('OwnableUnauthorizedAccount(0xabc)')).toBe('the connected account doesn’t hold this CRSM');
  expect(words('Something new')).toBe('Something new');
  const other = new EvmError('rejected');
  expect(toReadableError(other)).toBe(other);
});
