import type { StatementOf } from '../../../api/authority/statements.ts';
import { failure } from '../../platform/core/errors.ts';
import type { Services } from '../../platform/core/context.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { LogError } from '../replay.ts';
import { appendToLog, readAuthority } from '../store.ts';

type RefundIntent = StatementOf<'refund.intent'>['content'];

/** How long a statement says that it could be signed; nobody signs this one. */
const expiresMs = 7 * 86_400_000;

/** Says in the log what a wallet is about to be asked; nothing where there is no log. Throws MONEY_REFUSED for a log that takes no line. */
export async function logIntent(
  tx: Tx,
  services: Services,
  content: RefundIntent,
  by: { readonly person: string; readonly name: string },
): Promise<void> {
  const expires = new Date(services.now() + expiresMs).toISOString();
  await appendToLog(tx, services, (log) => log.add({ kind: 'refund.intent', by, expires, content })).catch((error: unknown) => {
    if (error instanceof LogError) throw failure('MONEY_REFUSED', { reason: 'LOG', problem: [error.problem] });
    throw error;
  });
}

/** Whether the log says that a wallet was to be asked for just this request; null where there is no log. One that does not fit says nothing. */
export async function isIntendedInLog(
  services: Services,
  queries: Queries,
  asked: Omit<RefundIntent, 'action' | 'nonce'>,
): Promise<boolean | null> {
  try {
    const authority = await readAuthority(services, queries);
    if (!authority) return null;
    return [...authority.statements.values()].some(({ statement }) => {
      if (statement.kind !== 'refund.intent' || statement.content.action !== 'request') return false;
      const { txid, satoshi, account, receiver, chainId, bridge } = statement.content;
      return (
        txid === asked.txid &&
        satoshi === asked.satoshi &&
        account.toLowerCase() === asked.account.toLowerCase() &&
        receiver === asked.receiver &&
        chainId === asked.chainId &&
        bridge.toLowerCase() === asked.bridge.toLowerCase()
      );
    });
  } catch (error) {
    if (error instanceof LogError) return false;
    throw error;
  }
}
