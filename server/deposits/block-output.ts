import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { readApprovalStatus } from '../authority/shared/approval-status.ts';
import { lockFreezes } from '../custody/shared/freezes.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import { administrators } from '../platform/auth/tables.ts';
import { buildBilingualMail } from '../platform/content/bilingual-mail.ts';
import { queueMail } from '../platform/content/mail.ts';
import type { Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import { formatAmount, formatTime } from '../platform/core/wording.ts';
import type { Tx } from '../platform/db/db.ts';
import { readAuthorsOfDeposit } from './authors.ts';
import { blockedMail, mintStages, mintStageOf } from './shared/block-texts.ts';
import type { DepositBlockRow } from './shared/blocks.ts';
import { depositState, type Deposit } from './rows.ts';
import { depositBlocks, deposits } from './tables.ts';
import { mints } from '../mints/tables.ts';

/**
 * Blocks all present and future deposits of the output and notifies everyone involved. Waits for signatures in progress. False:
 * already blocked.
 */
export async function blockOutput(
  tx: Tx,
  services: Services,
  rejectedOutput: Pick<DepositBlockRow, 'network' | 'txid' | 'vout' | 'transaction' | 'reason'>,
): Promise<boolean> {
  await lockFreezes(tx);
  const blockedAt = new Date(services.now());
  const [block] = await tx
    .insert(depositBlocks)
    .values({ ...rejectedOutput, id: newId(), blockedAt })
    .onConflictDoNothing()
    .returning();
  if (!block) return false;
  const { network, txid, vout } = rejectedOutput;
  const isOfOutput = and(eq(deposits.network, network), eq(deposits.txid, txid), ne(deposits.mintStatus, 'closed'));
  const rows = await tx
    .update(deposits)
    // A new version, so that a form opened before the block conflicts.
    .set({ version: sql`${deposits.version} + 1`, updatedAt: blockedAt })
    .where(vout === null ? isOfOutput : and(isOfOutput, eq(deposits.vout, vout)))
    .returning();
  for (const row of rows) {
    const auditedState = { ...depositState(row), reason: block.reason };
    await recordSystemAudit(tx, services, { entity: 'deposit', id: row.id, action: 'blockedByCobo', after: auditedState });
    await notifySigners(tx, services, row, block);
  }
  services.log.warn({ block: block.id, txid, vout, reason: block.reason, deposits: rows.length }, 'custodian rejected a deposit');
  return true;
}

async function notifySigners(tx: Tx, services: Services, row: Deposit, { reason, blockedAt }: DepositBlockRow): Promise<void> {
  const status = (await readApprovalStatus(services, tx))({ statement: row.statement, satoshi: row.amount, isOver: true });
  const recipientIds = new Set([
    ...(await readAuthorsOfDeposit(tx, row)),
    ...status.signers.map(({ person }) => person),
    ...(row.confirmedBy === null ? [] : [row.confirmedBy]),
  ]);
  if (recipientIds.size === 0) return;
  const recipientRows = await tx
    .select({ email: administrators.email })
    .from(administrators)
    .where(and(inArray(administrators.id, [...recipientIds]), eq(administrators.enabled, true)));
  const [mint] = await tx.select({ state: mints.state }).from(mints).where(eq(mints.depositId, row.id));
  const mintStageText = mintStages[mintStageOf(mint?.state ?? null)];
  const mail = buildBilingualMail(blockedMail, (language) => ({
    amount: formatAmount(row.amount, 8, language),
    receiver: row.userAddress,
    output: `${row.txid}:${row.vout}`,
    reason,
    time: formatTime(blockedAt, language, services.config.timeZone),
    stage: mintStageText[language],
    url: `${services.config.publicUrl}/selfCustody/deposit?open=${row.id}`,
  }));
  for (const { email } of recipientRows) await queueMail(tx, blockedAt, { to: email, ...mail });
}
