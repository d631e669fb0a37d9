import { systemRoute, type SystemAction } from '../../../api/audit/system.ts';
import { auditInbox } from './tables.ts';
import { auditPayload } from './chain.ts';
import type { Services } from '../core/context.ts';
import type { Queries } from '../db/db.ts';
import { newId } from '../core/ids.ts';

/** What a write says it did to one record. `before` and `after` are the record as the API shows it. */
export interface AuditEntry {
  /** The entry's own id, where the answer names it. */
  readonly entryId?: string;
  /** The resource in the singular of its table: 'news', 'role'. */
  readonly entity: string;
  readonly id: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
  /** What was done, when the route's own last word does not say it. */
  readonly action?: string;
}

/** Writes what the server did by itself, in the transaction it did it in. */
export async function recordSystemAudit(
  queries: Queries,
  services: Pick<Services, 'now'>,
  entry: AuditEntry & SystemAction,
): Promise<void> {
  const payload = auditPayload({
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
