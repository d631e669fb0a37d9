import { setTimeout as sleep } from 'node:timers/promises';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { devnetAccounts } from '../../chain/deploy.ts';
import { postAs, signInAt, type Session } from './callers.ts';
import { tipHeight, type Output } from './esplora.ts';

const depositsPath = '/api/selfCustody/deposit';
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
  const firstOrigin = origins[0] ?? '';
  const [operatorSession, approver, fullSession] = await Promise.all([
    signInAt(firstOrigin, 'operator'),
    signInAt(firstOrigin, 'approver'),
    signInAt(firstOrigin, 'all'),
  ]);
  const confirmedDeposits: ConfirmedDeposit[] = [];
  let refusedCount = 0;
  let depositCount = 0;
  let isStopped = false;

  /** True: 200. False: one of these codes. */
  async function postUntilAccepted(
    session: Session,
    path: string,
    key: string,
    body: unknown,
    acceptedCodes: readonly string[] = [],
  ) {
    for (let attemptNumber = depositCount; ; attemptNumber++) {
      const origin = origins[attemptNumber % origins.length] ?? '';
      const response = await postAs(origin, session, path, key, body).catch(() => null);
      const responseBody: unknown = await response?.json().catch(() => null);
      if (response?.status === 200 && responseBody !== null) return { done: true, row: responseBody as DepositRow };
      if (acceptedCodes.includes((responseBody as { code?: string } | null)?.code ?? '')) return { done: false, row: null };
      refusedCount++;
      await sleep(100);
    }
  }

  async function makeDeposit(depositNumber: number): Promise<void> {
    const txid = `f${depositNumber.toString(16).padStart(63, '0')}`;
    const amount = 1_000_000 + depositNumber;
    const receiver = devnetAccounts.operators[depositNumber % 4]?.address ?? '';
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
    const addedDeposit = await postUntilAccepted(operatorSession, depositsPath, `add ${depositNumber}`, {
      ...fields,
      amount: String(amount),
    });
    if (!addedDeposit.row) return;
    const { id, version, hash } = addedDeposit.row;
    const response = await postUntilAccepted(approver, `${depositsPath}/confirm`, `confirm ${depositNumber}`, {
      id,
      version,
      hash,
    });
    if (!response.row) return;
    const confirmedDeposit: ConfirmedDeposit = { id, txid, amount, receiver, canceled: false, spent: false };
    confirmedDeposits.push(confirmedDeposit);
    const randomOutcome = random();
    if (randomOutcome < 0.15) {
      const body = { id, version: response.row.version, reason: 'changed our mind' };
      // CONFLICT: the mint has advanced.
      const { done: isVoided } = await postUntilAccepted(fullSession, `${depositsPath}/cancel`, `cancel ${depositNumber}`, body, [
        'CONFLICT',
        'MONEY_REFUSED',
      ]);
      confirmedDeposit.canceled = isVoided;
    } else if (randomOutcome < 0.25) {
      confirmedDeposit.spent = true;
      outputs.set(txid, { address: custodyAddresses, value: amount, height: tipHeight - 9, spent: true });
    }
  }

  const pendingDeposits = Promise.all(
    [0, 1].map(async () => {
      while (!isStopped) {
        await makeDeposit(depositCount++);
        await sleep(3_000);
      }
    }),
  );
  return {
    confirmed: confirmedDeposits as readonly ConfirmedDeposit[],
    /** Returns the number of repeated requests. */
    stop: async (): Promise<number> => {
      isStopped = true;
      await pendingDeposits;
      return refusedCount;
    },
  };
}
