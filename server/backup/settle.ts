import pg from 'pg';
import { systemRoute, type SystemAction } from '../../api/audit/system.ts';
import { serializeAuditPayload } from '../platform/audit/chain.ts';
import { markUnverifiedSql } from '../platform/db/migrations.ts';
import { newId } from '../platform/core/ids.ts';

/** The `error` of mail and alarms that a restore holds back. */
export const heldBackReason = 'held back by a restore';

export interface SettleResult {
  readonly sessions: number;
  readonly mails: number;
  readonly alarms: number;
}

export function recordStatements(
  action: Extract<SystemAction, { entity: 'database' }>['action'],
  auditedState: object,
  now: Date,
): string {
  const payload = serializeAuditPayload({
    id: newId(),
    at: now.toISOString(),
    actorId: null,
    actorEmail: '',
    command: null,
    route: systemRoute,
    permission: null,
    entity: 'database',
    action,
    entityId: null,
    before: null,
    after: auditedState,
    result: 'done',
    requestId: '',
    ip: '',
    idempotencyKey: null,
  });
  return `insert into audit_inbox (id, payload) values ('${newId()}', ${pg.escapeLiteral(payload)});
set constraints all immediate;`;
}

/**
 * Ends sessions, codes and links, holds back queued mail and alarms, and blocks the panel until
 * verification.
 */
export function settleStatements(backupTime: string, now: Date): string {
  return `${markUnverifiedSql}
set local search_path = public, pg_temp;
select 'sessions=' || count(*) from sessions where revoked_at is null and expires_at > now();
select 'mails=' || count(*) from mails where state = 'queued';
select 'alarms=' || count(*) from alarm_deliveries where state = 'queued';
update sessions set revoked_at = now() where revoked_at is null;
update mail_codes set used_at = now() where used_at is null;
update enrollment_codes set used_at = now() where used_at is null;
update password_links set used_at = now() where used_at is null;
update link_invitations set used_at = now() where used_at is null;
update challenges set used_at = now() where used_at is null;
update mails set state = 'failed', error = '${heldBackReason}', leased_until = null where state = 'queued';
update alarm_deliveries set state = 'failed', error = '${heldBackReason}', leased_until = null where state = 'queued';
${recordStatements('restore', { backupTime }, now)}`;
}

export function parseSettleResult(output: string): SettleResult {
  const counts = new Map([...output.matchAll(/^(\w+)=(\d+)$/gm)].map(([, name, count]) => [name, Number(count)]));
  const countOf = (name: string) => counts.get(name) ?? 0;
  return { sessions: countOf('sessions'), mails: countOf('mails'), alarms: countOf('alarms') };
}
