import type { StatementKind } from './statements.ts';

/**
 * draft: nobody has signed it, so it is not in the log. open: waits for more signatures. cooling: enough have signed, and it counts from `from` on. inForce: it counts, or did what it was
 * for. expired: it was never signed by enough.
 */
export const statementStates = ['draft', 'open', 'cooling', 'inForce', 'expired'] as const;
export type StatementState = (typeof statementStates)[number];

/** Every kind of statement, in the order a filter offers them; the schemas are in statements.ts. */
export const kindsOfStatements = [
  'mint.approve',
  'mint.cancel',
  'refund.approve',
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
  'genesis',
] as const satisfies readonly StatementKind[];
