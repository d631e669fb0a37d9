import type { FilterValues } from '../../lib/ui/list/filter/filters.ts';
import { $evmWallet, evmKey } from '../../lib/evm/store.ts';
import { readStored } from '../../lib/prefs/storage.ts';

const timeoutMs = 600;

/** After a reload, waits until the wallet has reconnected. */
export async function getOwnAccount(): Promise<string | undefined> {
  if ($evmWallet.get() === null && readStored(evmKey) !== null) {
    await new Promise<void>((resolve) => {
      const unsubscribe = $evmWallet.listen(() => finish());
      const timer = setTimeout(() => finish(), timeoutMs);
      const finish = () => {
        unsubscribe();
        clearTimeout(timer);
        resolve();
      };
    });
  }
  return $evmWallet.get()?.account;
}

/** Replaces the filter `mine` by the connected account. Null without a wallet, because nothing can match. */
export async function withOwner({ mine: isMine, ...filter }: FilterValues): Promise<FilterValues | null> {
  if (isMine === undefined) return filter;
  const owner = await getOwnAccount();
  if (owner === undefined) return isMine === 'true' ? null : filter;
  return { ...filter, owner: isMine === 'true' ? owner : `!${owner}` };
}

/** Empty page, for the filter `mine` without a connected wallet. */
export const noRows = { rows: [], nextCursor: null, count: { value: 0, kind: 'exact' as const } };

/** Loads filter values, with the filter `mine` replaced by the connected account. */
export const ownValues =
  <I extends { filter?: FilterValues }, R>(values: (input: I, options: { signal: AbortSignal }) => Promise<{ values: R[] }>) =>
  async ({ filter = {}, ...input }: I, options: { signal: AbortSignal }): Promise<{ values: R[] }> => {
    const resolvedFilter = await withOwner(filter);
    return resolvedFilter ? values({ ...input, filter: resolvedFilter } as I, options) : { values: [] };
  };
