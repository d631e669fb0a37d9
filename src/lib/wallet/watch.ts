import { $walletAddress, type SessionWallet } from '../session/session.ts';
import { isSameNetwork } from './checks.ts';
import { detectWallets } from './detect.ts';
import type { BitcoinWallet, WalletChange } from './wallet.ts';

/** Extensions put themselves on the page in their own time. */
const waitMs = 5_000;
const lookEveryMs = 200;

/**
 * Follows the wallet that a session was begun with, from now on and without asking the person anything.
 * `onGone` is called once: when the wallet has another account, none, another network, or is not there any more.
 */
export function watchWallet({ id, address, network }: SessionWallet, onGone: () => void): () => void {
  let isOver = false;
  let stopListening = () => {};
  let wallet: BitcoinWallet | null = null;

  const stop = () => {
    isOver = true;
    stopListening();
    document.removeEventListener('visibilitychange', look);
    $walletAddress.set(null);
  };
  const judge = (now: WalletChange) => {
    if (isOver) return;
    if (now === undefined || now?.toLowerCase() === address) $walletAddress.set(address);
    else {
      stop();
      onGone();
    }
  };
  /** Asks the wallet where it stands. What it throws (locked, no access, updated meanwhile) is as good as none. */
  const ask = async () => {
    if (!wallet) return;
    try {
      const [now, on] = await Promise.all([wallet.current(), wallet.network()]);
      judge(isSameNetwork(on, network) ? now : null);
    } catch {
      judge(null);
    }
  };
  // For wallets that have no events.
  const look = () => {
    if (document.visibilityState === 'visible') void ask();
  };

  void findWallet(id, network, () => isOver).then((found) => {
    if (isOver) return;
    if (!found) return judge(null);
    wallet = found;
    stopListening = found.onChange((now) => (now === undefined || now?.toLowerCase() === address ? void ask() : judge(now)));
    document.addEventListener('visibilitychange', look);
    void ask();
  });
  return stop;
}

async function findWallet(id: string, network: SessionWallet['network'], isOver: () => boolean): Promise<BitcoinWallet | null> {
  for (const until = Date.now() + waitMs; !isOver();) {
    const found = detectWallets(network).find((one) => one.id === id);
    if (found) return found;
    if (Date.now() >= until) return null;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return null;
}
