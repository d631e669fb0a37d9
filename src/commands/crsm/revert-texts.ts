import { amountText } from '../../lib/money/amount-text.ts';
import { EvmError } from '../../lib/evm/problem.ts';
import { t, tMaybe } from '../../lib/i18n/i18n.ts';

/** Keyed by the contract's words, shown as `crsm.revert.<key>`. */
const revertTextKeys = {
  'CRSM: Too much debt to repay': 'tooMuchDebt',
  'CRSM: ICR must be below TRGCR': 'aboveTrigger',
  'CRSM: Insufficient deposits': 'insufficientDeposits',
  'CRSM: ICR must reach TARCR': 'belowTarget',
  'CRSM: ICR must not pass MAX_TARCR': 'pastMaximum',
  'CRSM: MCR < TRGCR < TARCR <= MAX_TARCR': 'order',
  'CRSM: No debt gas compensation committed': 'nothingCommitted',
  'CRSM: Deadline not passed': 'tooEarly',
  'CRSM: not the factory': 'notFactory',
  'CRSM: neither factory nor owner': 'notOwner',
  'CRSM: not the owner': 'notOwner',
  'CRSM: already set': 'alreadySet',
  'CRSM: transfer the token': 'transferToken',
  'CRSMFactory: nonexistent TM': 'noManager',
  'CRSMFactory: not trove owner': 'notTroveOwner',
  'CRSMFactory: nonexistent CRSM': 'noCrsm',
  'CRSMFactory: not the CRSM': 'noCrsm',
  'SP: Amount must be non-zero': 'zero',
  'SP: User must have a non-zero deposit': 'noDeposit',
  '!Deposit and withdraw same block': 'sameBlock',
  'BO: nothing to repay': 'nothingToRepay',
  'TM: Collateral Paused': 'paused',
  'YU: cannot be sent there': 'cannotSendThere',
  OwnableUnauthorizedAccount: 'notOwner',
  OwnableInvalidOwner: 'notOwner',
  ERC20InsufficientAllowance: 'allowance',
  ERC20InsufficientBalance: 'balance',
  ERC20InvalidReceiver: 'receiver',
  ERC721NonexistentToken: 'gone',
  SafeERC20FailedOperation: 'tokenFailed',
} as const;

/** Unknown refusals are shown in the contract's words. */
export function toReadableError(error: unknown): unknown {
  if (!(error instanceof EvmError) || error.code !== 'reverted') return error;
  const reason = revertText(error.values['reason'] ?? '');
  return new EvmError('reverted', { ...error.values, reason }, error);
}

/** `CRSM: Insufficient deposits` or `ERC20InsufficientBalance(0x…, 1, 2)`. */
function revertText(revertReason: string): string {
  const [, name = revertReason, list = ''] = /^(\w+)\((.*)\)$/.exec(revertReason) ?? [];
  const key = (revertTextKeys as Readonly<Record<string, string>>)[name];
  if (key === undefined) return revertReason;
  const [, availableAmount, requiredAmount] = list.split(', ');
  const yuText = (text: string | undefined) => (text && /^\d+$/.test(text) ? amountText(BigInt(text), 18) : '?');
  return (
    tMaybe(`crsm.revert.${key}`, { has: yuText(availableAmount), needs: yuText(requiredAmount) }) ??
    t('crsm.revert.unknown', { reason: revertReason })
  );
}
