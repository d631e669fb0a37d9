import type { StatementKind } from './statements.ts';

/**
 * draft: unsigned, not in the log. open: needs signatures. cooling: takes effect at `from`.
 * inForce: in effect or done. expired: not signed in time.
 */
export const statementStates = ['draft', 'open', 'cooling', 'inForce', 'voided', 'expired'] as const;
export type StatementState = (typeof statementStates)[number];

export const proposedKinds = [
  'approver.add',
  'approver.remove',
  'policy.set',
  'minter.set',
  'custody.add',
  'custody.remove',
  'receiver.add',
  'receiver.remove',
  'freeze',
  'unfreeze',
] as const satisfies readonly StatementKind[];
export type ProposedKind = (typeof proposedKinds)[number];

export const filterableStatementKinds = [
  'mint.approve',
  'mint.cancel',
  'refund.approve',
  ...proposedKinds,
  'genesis',
] as const satisfies readonly StatementKind[];
