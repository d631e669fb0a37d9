import { setTimeout as sleep } from 'node:timers/promises';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { devnetAccounts } from '../../chain/deploy.ts';
import { postAs, signInAt, type Session } from './callers.ts';
import { tipHeight, type Output } from './esplora.ts';

const menu = '/api/selfCustody/deposit';
export const custodyAddresses = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

export interface ConfirmedDeposit {
  readonly id: string;
  readonly txid: string;
  /** Satoshi. */
  readonly amount: number;
  readonly receiver: string;
  canceled: boolean;
  spent: boolean;
}

interface DepositorOptions {
  readonly origins: readonly string[];
  readonly outputs: Map<string, Output>;
  readonly random: () => number;
}

/**
 * Two pairs record and confirm deposits, repeating each request with its key on the other server until it is answered. Some mints
 * are canceled, some outputs spent.
 */
export async function startDepositors({ origins, outputs, random }: DepositorOptions) {
  const first = origins[0] ?? '';
  const [operator, approver, all] = await Promise.all([
    signInAt(first, 'operator'),
    signInAt(first, 'approver'),
    signInAt(first, 'all'),
  ]);
  const confirmed: ConfirmedDeposit[] = [];
  let refused = 0;
  let number = 0;
  let over = false;

  /** True: 200. False: one of these codes. */
  async function insist(session: Session, path: string, key: string, body: unknown, codes: readonly string[] = []) {
    for (let attempt = number; ; attempt++) {
      const origin = origins[attempt % origins.length] ?? '';
      const answer = await postAs(origin, session, path, key, body).catch(() => null);
      const reported: unknown = await answer?.json().catch(() => null);
      if (answer?.status === 200 && reported !== null) return { done: true, row: reported as DepositRow };
      if (codes.includes((reported as { code?: string } | null)?.code ?? '')) return { done: false, row: null };
      refused++;
      await sleep(100);
    }
  }

  async function deposit(at: number): Promise<void> {
    const txid = `f${at.toString(16).padStart(63, '0')}`;
    const amount = 1_000_000 + at;
    const receiver = devnetAccounts.operators[at % 4]?.address ?? '';
    outputs.set(txid, { address: custodyAddresses, value: amount, height: tipHeight - 9 });
    const fields = {
      type: 'cobo',
      vout: 0,
      lockTime: null,
      remarks: '',
      coboAddress: custodyAddresses,
      txid,
      userAddress: receiver,
    };
    const added = await insist(operator, menu, `add ${at}`, { ...fields, amount: String(amount) });
    if (!added.row) return;
    const { id, version, hash } = added.row;
    const answer = await insist(approver, `${menu}/confirm`, `confirm ${at}`, { id, version, hash });
    if (!answer.row) return;
    const reported: ConfirmedDeposit = { id, txid, amount, receiver, canceled: false, spent: false };
    confirmed.push(reported);
    const fate = random();
    if (fate < 0.15) {
      const body = { id, version: answer.row.version, reason: 'changed our mind' };
      // CONFLICT: the mint has advanced.
      const { done } = await insist(all, `${menu}/cancel`, `cancel ${at}`, body, ['CONFLICT', 'MONEY_REFUSED']);
      reported.canceled = done;
    } else if (fate < 0.25) {
      reported.spent = true;
      outputs.set(txid, { address: custodyAddresses, value: amount, height: tipHeight - 9, spent: true });
    }
  }

  const work = Promise.all(
    [0, 1].map(async () => {
      while (!over) {
        await deposit(number++);
        await sleep(3_000);
      }
    }),
  );
  return {
    confirmed: confirmed as readonly ConfirmedDeposit[],
    /** Returns the number of repeated requests. */
    stop: async (): Promise<number> => {
      over = true;
      await work;
      return refused;
    },
  };
}
