import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EvmError } from '../../lib/evm/problem.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { enResources } from '../../lib/i18n/en-US/resources.ts';
import { zhResources } from '../../lib/i18n/zh-CN/resources.ts';
import { toReadableError } from './revert-texts.ts';

const revertText = (reason: string): string =>
  (toReadableError(new EvmError('reverted', { reason })) as EvmError).values['reason'] ?? '';

const contracts = ['Crsm', 'CrsmFactory', 'StabilityPool'].flatMap((name) => {
  const source = readFileSync(new URL(`../../../chain/contracts/${name}.sol`, import.meta.url), 'utf8');
  return [...source.matchAll(/"((?:CRSM|CRSMFactory|SP): [^"]+|![^"]+)"/g)].map(([, text]) => text ?? '');
});
const troveManagerReverts = ['SP: not a trove manager', 'SP: not enough to offset'];

test.each([
  ['zh-CN', zhResources],
  ['en-US', enResources],
] as const)('every contract refusal has words in %s', (locale, dictionary) => {
  setDictionary(locale, dictionary);
  const revertReasons = contracts.filter((text) => !troveManagerReverts.includes(text));
  expect(revertReasons.length).toBeGreaterThan(15);
  for (const text of revertReasons) expect(revertText(text), text).not.toBe(text);
});

test('contract errors show values in units, and unknown errors are shown unchanged', () => {
  setDictionary('en-US', enResources);
  const [available, required] = [15n * 10n ** 17n, 20n * 10n ** 18n];
  expect(revertText(`ERC20InsufficientAllowance(0xabc, ${available}, ${required})`)).toBe(
    'the YU allowance is 1.5, but 20 is needed',
  );
  expect(revertText('OwnableUnauthorizedAccount(0xabc)')).toBe('the connected account doesn’t hold this CRSM');
  expect(revertText('Something new')).toBe('Something new');
  const walletError = new EvmError('rejected');
  expect(toReadableError(walletError)).toBe(walletError);
});
