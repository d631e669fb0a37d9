import { expect, test } from 'vitest';
import type { EvmChainInfo } from '../../../api/custody/chain.ts';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import type { AnyCommand } from '../engine/define.ts';
import { withdrawals, withdrawalTarget } from './commands.ts';

const chain = {
  chainId: 31337,
  contracts: { ybtc: `0x${'3'.repeat(40)}`, custodyBridge: `0x${'4'.repeat(40)}` },
} as unknown as EvmChainInfo;
const target = withdrawalTarget({ id: 'w', version: 1, address: `0x${'a'.repeat(40)}`, amount: '5000' } as WithdrawalRow);

test.each(['requestRefund', 'confirmRefund'] as const)(
  'without a wallet %s is refused before the server records anything, and an unmined call is not reported as mined',
  async (action) => {
    const command = withdrawals.find(({ id }) => id === `withdrawals.${action}`) as AnyCommand;
    const writtenRoutes: string[] = [];
    const createWriteRoute = (route: string) => async () => {
      writtenRoutes.push(route);
      throw new Error('written');
    };
    const api = {
      chain: { get: async () => chain },
      withdrawals: { prepareRequest: createWriteRoute('request'), prepareConfirm: createWriteRoute('confirm') },
    };
    await expect(command.run({ api, targets: [target], params: {} } as never)).rejects.toMatchObject({
      reason: 'evm.problem.none',
    });
    expect(writtenRoutes).toEqual([]);
    const toastKeyOf = (isMined: boolean) => command.done?.({ hash: '0x1', isMined } as never, {} as never).toast?.key;
    expect([toastKeyOf(true), toastKeyOf(false)]).toEqual([
      action === 'requestRefund' ? 'withdrawals.requested' : 'withdrawals.confirmed',
      'withdrawals.sent',
    ]);
  },
);

test.each(['signRefund', 'requestRefund', 'confirmRefund', 'cancel'] as const)(
  '%s reads its withdrawal again, so that a list from before a colleague’s signature refuses nothing',
  (action) => {
    expect(withdrawals.find(({ id }) => id === `withdrawals.${action}`)).toMatchObject({ refreshesTargets: true });
  },
);

test.each(['signRefund', 'requestRefund', 'confirmRefund'] as const)(
  '%s is disabled while the deposit is blocked, and says who must unblock the deposit',
  (action) => {
    const command = withdrawals.find(({ id }) => id === `withdrawals.${action}`) as AnyCommand;
    const block = 'RejectedByCoboKYT';
    const row = {
      status: action === 'confirmRefund' ? 'doing' : 'todo',
      coolsUntil: action === 'confirmRefund' ? '2026-01-01T00:00:00.000Z' : null,
      requestHash: null,
      confirmHash: null,
      rule: { approvals: 1, role: null, perDay: null, delaySeconds: 0 },
      approvals: [],
      missing: 0,
      block,
      refusal: { reason: 'BLOCKED', said: [block] },
      amount: '5000',
      receiver: 'bc1q',
    } as unknown as WithdrawalRow;
    const availability = command.when?.({ targets: [withdrawalTarget(row)] } as never);
    expect(availability).toMatchObject({ reason: 'withdrawals.refused.BLOCKED', values: { said: block } });
  },
);
