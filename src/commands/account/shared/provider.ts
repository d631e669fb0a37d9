import { readSsoWay } from '../../../lib/session/sso-way.ts';
import { blockedBecause, type BlockReason } from '../../engine/define.ts';

/** Null: a provider is configured. */
export const ssoProblem = (): BlockReason | null => (readSsoWay() ? null : blockedBecause('account.blocked.noProvider'));
