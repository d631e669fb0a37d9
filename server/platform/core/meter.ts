import type { ErrorCode } from '../../../api/errors.ts';

export interface Meter {
  request(route: string, outcome: ErrorCode | 'OK', seconds: number, id: string): void;
  mail(outcome: 'sent' | 'retried' | 'failed'): void;
  /** Age of the oldest audit row without a signed head, or 0. */
  unsignedAudit(seconds: number): void;
}
