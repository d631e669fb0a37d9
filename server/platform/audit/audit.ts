import { systemRoute } from '../../../api/audit/system.ts';
import { auditInbox } from './tables.ts';
import { serializeAuditPayload } from './chain.ts';
import type { AuditEntry } from './system-audit.ts';
import { memoizePerServer, requiredPermission, type RequestContext } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import type { ErrorCode } from '../../../api/errors.ts';
import type { ErrorData } from '../core/errors.ts';
import { describeError } from '../core/log.ts';
import { newId } from '../core/ids.ts';
import { resolveReportedCommand } from './reported-command.ts';

export type AuditSource = Pick<RequestContext, 'services' | 'route' | 'command' | 'requestId' | 'ip' | 'idempotencyKey'> & {
  readonly actor: { readonly id: string | null; readonly email: string; readonly tokenId?: string | undefined } | null;
};

/** Rows join the chain at commit. */
export async function recordAudit(
  queries: Queries,
  context: AuditSource,
  entries: readonly AuditEntry[],
  result: 'done' | 'refused' = 'done',
): Promise<void> {
  if (entries.length === 0) return;
  await queries
    .insert(auditInbox)
    .values(buildAuditPayloads(context, entries, result).map((payload) => ({ id: newId(), payload })));
}

export function buildAuditPayloads(context: AuditSource, entries: readonly AuditEntry[], result: 'done' | 'refused'): string[] {
  const route = context.route?.name ?? systemRoute;
  const currentTime = new Date(context.services.now()).toISOString();
  const command = context.route ? resolveReportedCommand(context.route, context.command) : context.command;
  return entries.map((entry) =>
    serializeAuditPayload({
      id: entry.entryId ?? newId(),
      at: currentTime,
      actorId: context.actor?.id ?? null,
      actorEmail: context.actor?.email ?? '',
      command,
      route,
      permission: context.route ? requiredPermission(context.route.meta) : null,
      action: entry.action ?? route.slice(route.lastIndexOf('.') + 1),
      entity: entry.entity,
      entityId: entry.id,
      before: entry.before ?? null,
      after: entry.after ?? null,
      result,
      requestId: context.requestId,
      ip: context.ip,
      idempotencyKey: context.idempotencyKey,
      ...(context.actor?.tokenId !== undefined && { token: context.actor.tokenId }),
    }),
  );
}

// Per person. Further ones are counted in the next row.
const refusalsPerMinute = 60;
const refusalWindowsOf = memoizePerServer(() => new Map<string, { since: number; count: number; unwritten: number }>());

/** Repeated attempts must not fill the table. */
export async function recordRefusal(
  context: Omit<RequestContext, 'actor'> & AuditSource,
  code: ErrorCode,
  details?: ErrorData,
): Promise<void> {
  const refusals = refusalWindowsOf(context.services);
  const now = context.services.now();
  const key = context.actor?.id ?? context.ip;
  let window = refusals.get(key);
  if (!window || now - window.since > 60_000) {
    if (refusals.size > 10_000) refusals.clear();
    window = { since: now, count: 0, unwritten: window?.unwritten ?? 0 };
    refusals.set(key, window);
  }
  window.count++;
  if (window.count > refusalsPerMinute) {
    window.unwritten++;
    return;
  }
  const name = context.route?.name ?? 'session';
  const entity = name.includes(' ') ? name : (name.split('.')[0] ?? name); // a path may contain dots
  const after = { code, ...details, alsoRefused: window.unwritten || undefined };
  try {
    await recordAudit(
      context.db,
      // Without a route, the client's claim cannot be checked.
      { ...context, command: context.route && context.command },
      [
        {
          entity,
          id: typeof details?.['id'] === 'string' ? details['id'] : null,
          after,
          ...(!context.route && { action: 'resume' }),
        },
      ],
      'refused',
    );
    window.unwritten = 0;
  } catch (error) {
    window.unwritten++;
    context.log.error({ err: describeError(error) }, 'could not record a refused request');
  }
}
