import type { callStates } from '../crsm/values.ts';
import type { DepositRow } from '../deposits/contract.ts';
import type { WithdrawalRow } from '../withdrawals/contract.ts';

export const systemRoute = 'server';

export interface SystemActions {
  administrator: 'create';
  audit: 'detach';
  crsm: (typeof callStates)[number];
  database: 'restore' | 'acceptProblems';
  deposit: 'recordedByCobo' | 'updatedByCobo' | 'blockedByCobo';
  freeze: 'freeze' | 'gone';
  identityProvider: 'configure' | 'endSessions';
  import: 'done' | 'failed';
  mint: NonNullable<DepositRow['mint']>['state'];
  role: 'grant';
  /** `idle`: revoked because it was not used. */
  serviceToken: 'firstUse' | 'newNetwork' | 'idle';
  session: 'resume';
  withdrawal: WithdrawalRow['status'] | 'seen';
}

export type SystemAction = { [E in keyof SystemActions]: { entity: E; action: SystemActions[E] } }[keyof SystemActions];

export type SystemActionTexts = { [E in keyof SystemActions]: Record<SystemActions[E], string> };
