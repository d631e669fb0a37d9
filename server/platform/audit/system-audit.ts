import { systemRoute, type SystemAction } from '../../../api/audit/system.ts';
import { auditInbox } from './tables.ts';
import { serializeAuditPayload } from './chain.ts';
import type { Services } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import { newId } from '../core/ids.ts';

export interface AuditEntry {
  readonly entryId?: string;
  readonly entity: string;
  readonly id: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Default: the last part of the route's name. */
  readonly action?: string;
}

/** In the action's transaction. */
export async function recordSystemAudit(
  queries: Queries,
  services: Pick<Services, 'now'>,
  entry: AuditEntry & SystemAction,
): Promise<void> {
  const payload = serializeAuditPayload({
    id: newId(),
    at: new Date(services.now()).toISOString(),
    actorId: null,
    actorEmail: '',
    command: null,
    route: systemRoute,
    permission: null,
    action: entry.action,
    entity: entry.entity,
    entityId: entry.id,
    before: entry.before ?? null,
    after: entry.after ?? null,
    result: 'done',
    requestId: '',
    ip: '',
    idempotencyKey: null,
  });
  await queries.insert(auditInbox).values({ id: newId(), payload });
}
