import { afterAll, beforeAll, expect, test } from 'vitest';
import { devnetContracts } from '../../../chain/deploy.ts';
import { implementationCode, contractProblems } from './contract-check.ts';
import { readConfig, type EvmConfig } from '../../platform/core/config.ts';
import { chainReader } from '../../platform/evm/read.ts';
import { chainEnv, startCrsmChain, type CrsmTestChain } from '../../testing/crsm.ts';

let chain: CrsmTestChain;
let evm: EvmConfig;
beforeAll(async () => {
  chain = await startCrsmChain();
  const config = readConfig({ NODE_ENV: 'test', ...chainEnv(chain.url) });
  if (!config.evm) throw new Error('no chain');
  evm = config.evm;
}, 60_000);
afterAll(() => chain.stop());

const problems = async (contracts: Partial<EvmConfig['contracts']>) =>
  contractProblems({ ...evm, contracts: { ...evm.contracts, ...contracts } }, await chainReader(evm).client());

test('correct contracts have no problem', async () => {
  expect(await problems({})).toEqual([]);
  expect(await problems(devnetContracts)).toEqual([]);
});

test('an address without code, or of another contract, is named with what is missing', async () => {
  const nobody = '0x52908400098527886E0F7030069857D2E4169EE7';
  const { yu, custodyBridge } = evm.contracts;
  expect(await problems({ crsmUtils: nobody, crsmFactory: yu })).toEqual([
    `crsmFactory ${yu}: no createNewCRSM, deposit, crsmImpl`,
    `crsmUtils ${nobody}: no code there`,
  ]);
  expect(await problems({ custodyBridge: yu, yu: custodyBridge })).toHaveLength(2);
});

test('a clone is checked by the code of its implementation', async () => {
  const [alice] = chain.operators;
  await chain.fund();
  await chain.open(alice);
  await chain.create(alice, 0n, 0n);
  await chain.mine();
  const client = await chainReader(evm).client();
  const code = await implementationCode(client, await chain.newest());
  expect(code?.length).toBeGreaterThan(1_000);
});
