import { eq } from 'drizzle-orm';
import { unknownRefund, type UnknownRefund } from '../../../api/custody/contract.ts';
import { recordSystemAudit } from '../../platform/audit/system-audit.ts';
import type { Services } from '../../platform/services/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { newId } from '../../platform/core/ids.ts';
import { lockFreezes, readOpenFreezes, type MoneyFreeze } from './freezes.ts';
import { moneyFreezes } from '../tables.ts';

/** Returns the freeze's id. Null: another freeze is open, whose lifting would not cover these refunds. */
export async function freezeForRefunds(tx: Tx, services: Services, refunds: readonly object[]): Promise<string | null> {
  await lockFreezes(tx);
  if ((await readOpenFreezes(tx)).some(({ kind }) => kind === 'difference')) return null;
  // Keeps an accepted difference of the supply.
  const [acceptedFreeze] = await tx.select().from(moneyFreezes).where(eq(moneyFreezes.standing, true));
  const [supplyOff, ledgerOff] = [acceptedFreeze?.supplyOff ?? 0n, acceptedFreeze?.ledgerOff ?? 0n];
  const figures = { refunds };
  const row = { id: newId(), figures: JSON.stringify(figures), at: new Date(services.now()), supplyOff, ledgerOff };
  await tx.insert(moneyFreezes).values(row);
  await recordSystemAudit(tx, services, { entity: 'freeze', id: row.id, action: 'freeze', after: figures });
  services.log.error({ freeze: row.id, ...figures }, 'unexpected refunds on chain, money is frozen');
  return row.id;
}

/** Empty for other freezes. */
export function parseRefunds({ figures }: MoneyFreeze): UnknownRefund[] {
  const { refunds } = JSON.parse(figures) as { refunds?: unknown };
  if (!Array.isArray(refunds)) return [];
  return refunds.flatMap((refund: unknown) => {
    const { success, data } = unknownRefund.safeParse(refund);
    return success ? [{ ...data, receiver: sanitizeText(data.receiver) }] : [];
  });
}

const maxShownLength = 100;

/** Shortened, without invisible or direction-changing characters. */
function sanitizeText(text: string): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')];
  return characters.length > maxShownLength ? `${characters.slice(0, maxShownLength - 1).join('')}…` : characters.join('');
}
