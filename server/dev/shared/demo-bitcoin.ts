import { createHash } from 'node:crypto';
import { Address } from '@scure/btc-signer';
import type { Receiver } from '../../../api/authority/statements.ts';
import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { bitcoinParameters } from '../../../chain/bitcoin.ts';

export interface DevDeposit {
  txid: string;
  vout: number;
  coboAddress: string;
  /** EIP-55, institutions of the devnet. */
  userAddress: string;
  /** Satoshi. */
  amount: bigint;
  remarks: string;
  confirmed: boolean;
  hoursAgo: number;
  /** Where the demo Bitcoin differs from the recorded deposit. */
  seen?: { amount?: bigint; isInBlock?: false };
  back?: { status: 'todo' | 'canceled'; receiver: string };
}

const users = [
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
] as const;

const sha256 = (text: string) => createHash('sha256').update(text).digest();

type DemoDepositLine = readonly [
  satoshi: bigint,
  confirmed: boolean,
  remarks: string,
  more?: Pick<DevDeposit, 'seen'> & { back?: 'todo' | 'canceled' },
];
const depositLines: readonly DemoDepositLine[] = [
  [75_000_000n, false, '试运行 Trial run'],
  [250_000_000n, false, '机构乙 Institution B'],
  [1_200_000_001n, false, '大额：需两人 Large: two people'],
  [120_000_000n, false, '金额录错 Mistyped amount', { seen: { amount: 102_000_000n } }],
  [500_000_000n, false, '刚广播 Just broadcast', { seen: { isInBlock: false } }],
  [15_000_000_000n, false, '没有规则 No rule'],
  [300_000_000n, true, '机构甲 首笔 Institution A, first', { back: 'todo' }],
  [50_000_000n, true, '', { back: 'canceled' }],
  [825_000_000n, true, '机构丙 Institution C'],
  [99_999_999n, true, '机构乙 第二笔 Institution B, second'],
];

const deriveAddress = (owner: string, network: BitcoinNetwork): string =>
  Address(bitcoinParameters[network]).encode({ type: 'wpkh', hash: new Uint8Array(sha256(owner).subarray(0, 20)) });

const derivePayoutAddress = (institution: string, number: number, network: BitcoinNetwork): string =>
  deriveAddress(`demo payout ${number} of ${institution}`, network);

/** Three of the four institutions are in the demo's address book, with two payout addresses each. */
export const createDevReceivers = (network: BitcoinNetwork): Receiver[] =>
  (
    [
      [users[2], '机构甲 Alpha'],
      [users[1], '机构乙 Beta'],
      [users[0], '机构丙 Gamma'],
    ] as const
  ).map(([address, institution]) => ({
    address,
    institution,
    custody: [],
    payout: [1, 2].map((number) => derivePayoutAddress(address, number, network)),
  }));

export const createDevDeposits = (network: BitcoinNetwork): DevDeposit[] =>
  depositLines.map(([amount, confirmed, remarks, { seen, back } = {}], number) => {
    const userAddress = users[number % users.length] ?? users[0];
    return {
      txid: sha256(`demo deposit ${number}`).toString('hex'),
      vout: 0,
      coboAddress: deriveAddress(`demo custodian ${number % 3}`, network),
      userAddress,
      amount,
      remarks,
      confirmed,
      hoursAgo: 3 + number * 7,
      ...(seen ? { seen } : {}),
      ...(back ? { back: { status: back, receiver: derivePayoutAddress(userAddress, 1, network) } } : {}),
    };
  });
