import { readSsoWay } from '../../../lib/session/sso-way.ts';
import { blockedBecause, type BlockReason } from '../../engine/define.ts';

/** Null: a provider is configured. Also without a page, where only the server knows. */
export const ssoProblem = (): BlockReason | null =>
  typeof document === 'undefined' || readSsoWay() ? null : blockedBecause('account.blocked.noProvider');
