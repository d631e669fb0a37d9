import type { ErrorCode } from '../../../api/errors.ts';
import { tokenProblems } from '../../../api/access/service-values.ts';

/** Of calls with a service token. `unknown`: also with a wrong checksum. */
export const tokenOutcomes = ['allowed', 'forbidden', 'notForServices', 'limited', 'unknown', ...tokenProblems] as const;
export type TokenOutcome = (typeof tokenOutcomes)[number];

export interface Meter {
  request(route: string, outcome: ErrorCode | 'OK', seconds: number, id: string): void;
  tokenCall(outcome: TokenOutcome): void;
  mail(outcome: 'sent' | 'retried' | 'failed'): void;
  /** Age of the oldest audit row without a signed head, or 0. */
  unsignedAudit(seconds: number): void;
}
