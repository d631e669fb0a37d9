import { expect, test } from 'vitest';
import { canonicalHash } from '../../../api/authority/canonical.ts';
import type { StatementRow } from '../../../api/authority/contract.ts';
import type { Statement } from '../../../api/authority/statements.ts';
import { connectTestWallet } from '../../testing/evm-wallet.ts';
import type { AnyCommand } from '../engine/define.ts';
import { authority } from './commands.ts';

const account = '0x00000000000000000000000000000000000000A1';
const reason = 'a node lies';
const timestamp = '2026-11-22T10:00:00.000Z';
const bridge = '0x00000000000000000000000000000000000000b1';
const genesis = {
  kind: 'genesis',
  number: 0,
  at: timestamp,
  content: { chainId: 31337, rpId: 'localhost', bridge },
} as unknown as Statement;
const log = { genesis: canonicalHash(genesis), chainId: 31337, bridge };
const statement = {
  kind: 'freeze',
  log,
  after: { number: 0, hash: log.genesis },
  expires: timestamp,
  content: { reason },
} as unknown as Statement;
const freezeCommand = authority.find(({ id }) => id === 'authority.freeze') as AnyCommand;

function createApi(proposedStatement = statement) {
  const row = {
    id: canonicalHash(proposedStatement),
    number: 7,
    state: 'open',
    mine: true,
    needed: 2,
    signed: [],
    statement: proposedStatement,
  };
  const rows = [{ id: canonicalHash(genesis), statement: genesis }];
  const api = {
    authority: {
      freeze: async () => row as unknown as StatementRow,
      summary: async () => ({ own: [{ type: 'wallet', address: account }], genesis: canonicalHash(genesis) }),
      many: async () => rows,
    },
  };
  return { row, asked: { api, targets: [], params: { reason } } as never };
}

test('a proposal stays in the log when no wallet is connected to sign it, and the result says so', async () => {
  const { row, asked } = createApi();
  expect(await freezeCommand.run(asked)).toBe(row);
  expect(freezeCommand.done?.(row as never, asked)).toMatchObject({
    stale: ['statements', 'authority', 'addressNames', 'home'],
    toast: { key: 'authority.done.proposed' },
  });
});

test('a proposal stays in the log when the person rejects it in the wallet', async () => {
  const wallet = await connectTestWallet({
    eth_accounts: () => [account],
    eth_chainId: () => '0x7a69',
    eth_signTypedData_v4: () => {
      throw Object.assign(new Error('no'), { code: 4001 });
    },
  });
  const { row, asked } = createApi();
  try {
    expect(await freezeCommand.run(asked)).toBe(row);
  } finally {
    await wallet.leave();
  }
});

test('a statement that differs from the request is refused with a message', async () => {
  const { asked } = createApi({ ...statement, content: { reason: 'another' } } as Statement);
  await expect(freezeCommand.run(asked)).rejects.toMatchObject({ reason: 'authority.problem.differs' });
});
