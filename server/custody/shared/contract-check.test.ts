import { afterAll, beforeAll, expect, test } from 'vitest';
import { devnetContracts } from '../../../chain/deploy.ts';
import { readImplementationCode, findContractProblems } from './contract-check.ts';
import { readConfig, type EvmConfig } from '../../platform/core/config.ts';
import { createChainReader } from '../../platform/evm/read.ts';
import { buildChainEnv, startCrsmChain, type CrsmTestChain } from '../../testing/crsm.ts';

let chain: CrsmTestChain;
let evm: EvmConfig;
beforeAll(async () => {
  chain = await startCrsmChain();
  const config = readConfig({ NODE_ENV: 'test', ...buildChainEnv(chain.url) });
  if (!config.evm) throw new Error('no chain');
  evm = config.evm;
}, 60_000);
afterAll(() => chain.stop());

const findProblems = async (contracts: Partial<EvmConfig['contracts']>) =>
  findContractProblems({ ...evm, contracts: { ...evm.contracts, ...contracts } }, await createChainReader(evm).client());

test('correct contracts have no problem', async () => {
  expect(await findProblems({})).toEqual([]);
  expect(await findProblems(devnetContracts)).toEqual([]);
});

test('an address without code, or of another contract, is named with what is missing', async () => {
  const emptyAddress = '0x52908400098527886E0F7030069857D2E4169EE7';
  const { yu, custodyBridge } = evm.contracts;
  expect(await findProblems({ crsmUtils: emptyAddress, crsmFactory: yu })).toEqual([
    `crsmFactory ${yu}: no createNewCRSM, deposit, crsmImpl`,
    `crsmUtils ${emptyAddress}: no code there`,
  ]);
  expect(await findProblems({ custodyBridge: yu, yu: custodyBridge })).toHaveLength(2);
});

test('a clone is checked by the code of its implementation', async () => {
  const [alice] = chain.operators;
  await chain.fund();
  await chain.open(alice);
  await chain.create(alice, 0n, 0n);
  await chain.mine();
  const client = await createChainReader(evm).client();
  const code = await readImplementationCode(client, await chain.newest());
  expect(code?.length).toBeGreaterThan(1_000);
});
