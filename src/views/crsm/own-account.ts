import type { FilterValues } from '../../lib/ui/list/filter/filters.ts';
import { $evmWallet, evmKey } from '../../lib/evm/store.ts';
import { readStored } from '../../lib/prefs/storage.ts';

const timeoutMs = 600;

/** After a reload, waits until the wallet has reconnected. */
export async function ownAccount(): Promise<string | undefined> {
  if ($evmWallet.get() === null && readStored(evmKey) !== null) {
    await new Promise<void>((resolve) => {
      const stop = $evmWallet.listen(() => done());
      const timer = setTimeout(() => done(), timeoutMs);
      const done = () => {
        stop();
        clearTimeout(timer);
        resolve();
      };
    });
  }
  return $evmWallet.get()?.account;
}

/** Replaces `mine` by the connected account. Null without a wallet, because nothing can match. */
export async function withOwner({ mine, ...filter }: FilterValues): Promise<FilterValues | null> {
  if (mine === undefined) return filter;
  const owner = await ownAccount();
  if (owner === undefined) return mine === 'true' ? null : filter;
  return { ...filter, owner: mine === 'true' ? owner : `!${owner}` };
}

/** Empty page, for the `mine` filter without a connected wallet. */
export const noRows = { rows: [], nextCursor: null, count: { value: 0, kind: 'exact' as const } };

/** Loads filter values, with `mine` replaced by the connected account. */
export const ownValues =
  <I extends { filter?: FilterValues }, R>(values: (input: I, options: { signal: AbortSignal }) => Promise<{ values: R[] }>) =>
  async ({ filter = {}, ...input }: I, options: { signal: AbortSignal }): Promise<{ values: R[] }> => {
    const resolved = await withOwner(filter);
    return resolved ? values({ ...input, filter: resolved } as I, options) : { values: [] };
  };
