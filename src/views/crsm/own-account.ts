import { $evmWallet, evmKey } from '../../lib/evm/store.ts';
import { readStored } from '../../lib/prefs/storage.ts';

const patienceMs = 600;

/** The connected account; after a reload its wallet is found again a moment later, which is waited for. */
export async function ownAccount(): Promise<string | undefined> {
  if ($evmWallet.get() === null && readStored(evmKey) !== null) {
    await new Promise<void>((resolve) => {
      const stop = $evmWallet.listen(() => done());
      const timer = setTimeout(() => done(), patienceMs);
      const done = () => {
        stop();
        clearTimeout(timer);
        resolve();
      };
    });
  }
  return $evmWallet.get()?.account;
}
