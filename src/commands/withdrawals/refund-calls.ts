import type { Address, Hex } from 'viem';
import type { EvmChainInfo } from '../../../api/custody/chain.ts';
import { satoshiToWei } from '../../../api/money.ts';
import type { RefundCall, WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import type { ContractCall, SendResult } from '../../lib/evm/contract-call.ts';
import { EvmError } from '../../lib/evm/problem.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { amountText } from '../../lib/money/amount-text.ts';
import { CommandError } from '../engine/command-error.ts';
import { evmText } from '../custody/shared/wallet-problem.ts';

const loadParts = async () => ({
  ...(await import('../../lib/evm/contract-call.ts')),
  ...(await import('../../../chain/abi/custody-bridge.ts')),
  ...(await import('../../../chain/abi/ybtc.ts')),
});

interface RefundCalls {
  /** Sets the allowance to exactly this amount. Null: it suffices. */
  approve: ContractCall | null;
  call: ContractCall;
}

const baseOf = ({ address }: WithdrawalRow, { chainId }: EvmChainInfo) => ({ chainId, from: address as Address });

/** Throws EvmError. */
export async function requestCalls(row: WithdrawalRow, chain: EvmChainInfo): Promise<RefundCalls> {
  const { readContract, ybtcAbi, custodyBridgeAbi } = await loadParts();
  const callBase = baseOf(row, chain);
  const amount = satoshiToWei(BigInt(row.amount));
  const token = { ...callBase, to: chain.contracts.ybtc as Address, contract: 'YBTC', abi: ybtcAbi };
  const bridgeAddress = chain.contracts.custodyBridge as Address;
  const balance = await readContract({ ...token, functionName: 'balanceOf', args: [callBase.from] });
  if (typeof balance !== 'bigint') throw new EvmError('failed');
  if (balance < amount) throw new EvmError('tooLittle', { has: amountText(balance, 18), needs: amountText(amount, 18) });
  const allowance = await readContract({ ...token, functionName: 'allowance', args: [callBase.from, bridgeAddress] });
  if (typeof allowance !== 'bigint') throw new EvmError('failed');
  return {
    approve: allowance < amount ? { ...token, functionName: 'approve', args: [bridgeAddress, amount] } : null,
    call: {
      ...callBase,
      to: bridgeAddress,
      contract: t('withdrawals.bridge'),
      abi: custodyBridgeAbi,
      functionName: 'requestRefund',
      args: [`0x${row.txid}`, row.receiver, amount],
    },
  };
}

/** The wallet's own node must confirm that the nonce belongs to this withdrawal. */
export async function confirmCalls(row: WithdrawalRow, chain: EvmChainInfo): Promise<RefundCalls> {
  const { readContract, custodyBridgeAbi } = await loadParts();
  const bridgeAddress = chain.contracts.custodyBridge as Address;
  const bridgeContract = { ...baseOf(row, chain), to: bridgeAddress, contract: t('withdrawals.bridge'), abi: custodyBridgeAbi };
  const args = [BigInt(row.nonce ?? -1)];
  const refundRequest = await readContract({ ...bridgeContract, functionName: 'refundRequests', args });
  const [srcHash, , from, amount, , , receiver] = Array.isArray(refundRequest) ? (refundRequest as unknown[]) : [];
  const isMatchingRequest =
    srcHash === `0x${row.txid}` &&
    from === row.address &&
    amount === satoshiToWei(BigInt(row.amount)) &&
    receiver === row.receiver;
  if (!isMatchingRequest) throw new CommandError('BLOCKED', t('withdrawals.notOnChain'), [], 'withdrawals.notOnChain');
  return { approve: null, call: { ...bridgeContract, functionName: 'confirmRefund', args } };
}

/** Server and page build the call separately, so that neither can change it alone. */
export async function requireSameCall(preparedCall: RefundCall, { call }: RefundCalls): Promise<void> {
  const { isSameCall } = await loadParts();
  if (!isSameCall(preparedCall, call)) throw new CommandError('BLOCKED', t('withdrawals.differs'), [], 'withdrawals.differs');
}

export type RefundAction = 'requestRefund' | 'confirmRefund';
export const refundCalls = { requestRefund: requestCalls, confirmRefund: confirmCalls } as const;

export interface RefundReview {
  readonly chain: Pick<EvmChainInfo, 'name' | 'chainId' | 'contracts'>;
  /** Wei. The account's balance for a request, the supply for a confirmation. Null: unknown. */
  readonly before: bigint | null;
  readonly calls: readonly ReviewedRefundCall[];
  /** Null: it would succeed. */
  readonly problem: string | null;
}

/** Decoded from its bytes. */
export interface ReviewedRefundCall extends Pick<ContractCall, 'contract' | 'to'> {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly value: string }[];
}

export async function reviewRefund(action: RefundAction, row: WithdrawalRow, chain: EvmChainInfo): Promise<RefundReview> {
  const { decodeCall, simulate, readContract, ybtcAbi } = await loadParts();
  const token = { ...baseOf(row, chain), to: chain.contracts.ybtc as Address, contract: 'YBTC', abi: ybtcAbi };
  const balanceRead =
    action === 'requestRefund'
      ? { ...token, functionName: 'balanceOf', args: [token.from] }
      : { ...token, functionName: 'totalSupply', args: [] };
  let balanceBefore: bigint | null = null;
  let calls: ReviewedRefundCall[] = [];
  try {
    // First, so that the review of a call that would fail still shows the balance.
    const balance = await readContract(balanceRead);
    balanceBefore = typeof balance === 'bigint' ? balance : null;
    const { approve, call } = await refundCalls[action](row, chain);
    const allCalls = approve ? [approve, call] : [call];
    calls = allCalls.map((call) => ({ contract: call.contract, to: call.to, ...decodeCall(call) }));
    await simulate(approve ?? call);
    return { chain, before: balanceBefore, calls, problem: null };
  } catch (error) {
    return { chain, before: balanceBefore, calls, problem: failureText(error) };
  }
}

function failureText(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  return error instanceof EvmError && error.code !== 'reverted'
    ? evmText(error)
    : t('withdrawals.review.fails', { reason: evmText(error) });
}

/** `onHash` receives the transaction of the call, not of the approval. */
export async function sendRefund({ approve, call }: RefundCalls, onHash: (hash: Hex) => Promise<unknown>): Promise<SendResult> {
  const { sendAndWait } = await loadParts();
  if (approve) await sendAndWait(approve, async () => {});
  // The server finds the transaction on chain if this report fails.
  return sendAndWait(call, (hash) => onHash(hash).catch(() => {}));
}
