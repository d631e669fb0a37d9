import { eq } from 'drizzle-orm';
import { alienRefund, type AlienRefund } from '../../../api/custody/contract.ts';
import { recordSystemAudit } from '../../platform/audit/system-audit.ts';
import type { Services } from '../../platform/core/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { newId } from '../../platform/core/ids.ts';
import { lockFreezes, openFreezes, type MoneyFreeze } from './freezes.ts';
import { moneyFreezes } from '../tables.ts';

/**
 * Freezes money over refunds on chain that nobody here intended. Answers the freeze's id; null while another one is open: it
 * blocks money already, and whoever lifts that one has not seen this.
 */
export async function freezeForRefunds(tx: Tx, services: Services, refunds: readonly object[]): Promise<string | null> {
  await lockFreezes(tx);
  if ((await openFreezes(tx)).some(({ kind }) => kind === 'difference')) return null;
  // A difference of the supply that is accepted stays so when this freeze is lifted.
  const [accepted] = await tx.select().from(moneyFreezes).where(eq(moneyFreezes.standing, true));
  const [supplyOff, ledgerOff] = [accepted?.supplyOff ?? 0n, accepted?.ledgerOff ?? 0n];
  const figures = { refunds };
  const row = { id: newId(), figures: JSON.stringify(figures), at: new Date(services.now()), supplyOff, ledgerOff };
  await tx.insert(moneyFreezes).values(row);
  await recordSystemAudit(tx, services, { entity: 'freeze', id: row.id, action: 'freeze', after: figures });
  services.log.error({ freeze: row.id, ...figures }, 'unexpected refunds on chain, money is frozen');
  return row.id;
}

/** The refunds that a freeze was opened for: none of one of the supply, or by hand. */
export function refundsOf({ figures }: MoneyFreeze): AlienRefund[] {
  const { refunds } = JSON.parse(figures) as { refunds?: unknown };
  if (!Array.isArray(refunds)) return [];
  return refunds.flatMap((one: unknown) => {
    const { success, data } = alienRefund.safeParse(one);
    return success ? [{ ...data, receiver: shownText(data.receiver) }] : [];
  });
}

const mostShown = 100;

/** A stranger's text, cut, and with nothing in it that is not seen or turns around what stands beside it. */
function shownText(text: string): string {
  const letters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')];
  return letters.length > mostShown ? `${letters.slice(0, mostShown - 1).join('')}…` : letters.join('');
}
