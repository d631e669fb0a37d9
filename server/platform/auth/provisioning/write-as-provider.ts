import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { recordAudit, type AuditSource } from '../../audit/audit.ts';
import type { AuditEntry } from '../../audit/system-audit.ts';
import { getDatabaseErrorCode } from '../../core/error-code.ts';
import { createAppError } from '../../core/errors.ts';
import type { Tx } from '../../db/db.ts';
import type { ProvisioningContext } from '../../services/context.ts';
import { countAccessChange } from '../rights/access-changes.ts';
import { lockAccessExclusively } from '../rights/escalation.ts';
import { serviceTokens } from '../tables.ts';

const maxAttempts = 3;

/**
 * Runs in turn with every other change of access, and writes the audit rows in the same transaction. Open tabs reload their
 * access only if there is an audit row. Throws UNAUTHORIZED for a token that has ended.
 */
export async function writeAsProvider<T>(
  context: ProvisioningContext,
  effect: (tx: Tx, recordEntry: (entry: AuditEntry) => void) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.db.transaction(async (tx) => {
        await lockAccessExclusively(tx);
        await assertTokenLive(tx, context);
        const entries: AuditEntry[] = [];
        const result = await effect(tx, (entry) => void entries.push(entry));
        if (entries.length > 0) await countAccessChange(tx);
        await recordAudit(tx, auditSourceOf(context), entries);
        return result;
      });
    } catch (error) {
      const code = getDatabaseErrorCode(error);
      if (attempt >= maxAttempts || (code !== '40001' && code !== '40P01')) throw error;
      await sleep(randomInt(5, 40) * attempt);
    }
  }
}

export const auditSourceOf = (context: ProvisioningContext): AuditSource => ({
  ...context,
  actor: { id: null, ...context.provisioner },
});

async function assertTokenLive(tx: Tx, { services, provisioner }: ProvisioningContext): Promise<void> {
  const isLive = and(
    eq(serviceTokens.id, provisioner.tokenId),
    eq(serviceTokens.kind, 'scim'),
    isNull(serviceTokens.revokedAt),
    gt(serviceTokens.expiresAt, new Date(services.now())),
  );
  if ((await tx.select({ id: serviceTokens.id }).from(serviceTokens).where(isLive)).length === 0)
    throw createAppError('UNAUTHORIZED');
}
