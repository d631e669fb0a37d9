import type { callStates } from '../crsm/values.ts';
import type { DepositRow } from '../deposits/contract.ts';
import type { WithdrawalRow } from '../withdrawals/contract.ts';

/** The route of what the server does by itself, as the audit has it. */
export const systemRoute = 'server';

/** What the server does by itself, by the audit's word for the record: each has words in both languages (`record.system`). */
export interface SystemActions {
  administrator: 'create';
  audit: 'detach';
  crsm: (typeof callStates)[number];
  database: 'restore' | 'acceptProblems';
  deposit: 'recordedByCobo' | 'updatedByCobo' | 'blockedByCobo';
  freeze: 'freeze' | 'gone';
  import: 'done' | 'failed';
  mint: NonNullable<DepositRow['mint']>['state'];
  session: 'resume';
  withdrawal: WithdrawalRow['status'] | 'seen';
}

/** One of them: an entity with an action of its own. */
export type SystemAction = { [E in keyof SystemActions]: { entity: E; action: SystemActions[E] } }[keyof SystemActions];

/** Words for each. */
export type SystemWords = { [E in keyof SystemActions]: Record<SystemActions[E], string> };
