import type { ErrorCode } from '../../../api/errors.ts';

/** What is counted of a server's work, where somebody asked for metrics (server/metrics). */
export interface Meter {
  /** A request that was answered: which route, OK or the code of its error, and its id as the log has it. */
  request(route: string, outcome: ErrorCode | 'OK', seconds: number, id: string): void;
  mail(outcome: 'sent' | 'retried' | 'failed'): void;
  /** For how many seconds rows of the audit have had no signed head; 0: every row has one. */
  unsignedAudit(seconds: number): void;
}
