import { $walletAddress, type SessionWallet } from '../session/session.ts';
import { isSameNetwork } from './checks.ts';
import { detectWallets } from './detect.ts';
import type { BitcoinWallet, WalletChange } from './wallet.ts';

/** Extensions inject themselves late. */
const waitMs = 5_000;
const pollIntervalMs = 200;
/** Timeout of a request without a prompt, and the number of tries before the wallet counts as gone. */
const timeoutMs = 5_000;
const retryMs = 1_000;
const maxTries = 3;

/**
 * Watches the session's wallet without prompts. Calls `onGone` once if the account or network changes or the wallet disappears.
 */
export function watchWallet({ id, address, network }: SessionWallet, onGone: () => void): () => void {
  let isStopped = false;
  let stopListening = () => {};
  let wallet: BitcoinWallet | null = null;

  const stopWatching = () => {
    isStopped = true;
    stopListening();
    document.removeEventListener('visibilitychange', checkAccount);
    $walletAddress.set(null);
  };
  const evaluateChange = (walletChange: WalletChange) => {
    if (isStopped) return;
    if (walletChange === undefined || walletChange?.toLowerCase() === address) $walletAddress.set(address);
    else {
      stopWatching();
      onGone();
    }
  };
  /**
   * Asks for the account after any event, because some wallets fire `disconnect` on page load and network switches. `change` is
   * used if the wallet cannot tell or is silent. Repeated failures count as gone.
   */
  const checkWallet = async (change?: WalletChange) => {
    for (let attempt = 1; wallet && !isStopped; attempt++) {
      try {
        const walletState = await withTimeout(Promise.all([wallet.current(), wallet.network()]));
        if (walletState === null) return evaluateChange(change);
        const [walletChange = change, walletNetwork] = walletState;
        return evaluateChange(isSameNetwork(walletNetwork, network) ? walletChange : null);
      } catch {
        if (attempt === maxTries) return evaluateChange(null);
        await sleep(retryMs);
      }
    }
  };
  // For wallets without events.
  const checkAccount = () => {
    if (document.visibilityState === 'visible') void checkWallet();
  };

  void findWallet(id, network, () => isStopped).then((foundWallet) => {
    if (isStopped) return;
    if (!foundWallet) return evaluateChange(null);
    wallet = foundWallet;
    stopListening = foundWallet.onChange((walletChange) => void checkWallet(walletChange));
    document.addEventListener('visibilitychange', checkAccount);
    void checkWallet();
  });
  return stopWatching;
}

async function findWallet(
  id: string,
  network: SessionWallet['network'],
  isStopped: () => boolean,
): Promise<BitcoinWallet | null> {
  for (const deadline = Date.now() + waitMs; !isStopped();) {
    const foundWallet = detectWallets(network).find((candidate) => candidate.id === id);
    if (foundWallet) return foundWallet;
    if (Date.now() >= deadline) return null;
    await sleep(pollIntervalMs);
  }
  return null;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Null on timeout. */
async function withTimeout<T>(pendingValue: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeoutPromise = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  return Promise.race([pendingValue, timeoutPromise]).finally(() => clearTimeout(timer));
}
