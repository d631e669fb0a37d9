import type { ErrorCode } from '../../../api/errors.ts';

/** What is counted of a server's work, where somebody asked for metrics (server/metrics). */
export interface Meter {
  /** A request that was answered: which route, and OK or the code of its error. */
  request(route: string, outcome: ErrorCode | 'OK', seconds: number): void;
  mail(outcome: 'sent' | 'retried' | 'failed'): void;
}
