import { $walletAddress, type SessionWallet } from '../session/session.ts';
import { isSameNetwork } from './checks.ts';
import { detectWallets } from './detect.ts';
import type { BitcoinWallet, WalletChange } from './wallet.ts';

/** Extensions inject themselves late. */
const waitMs = 5_000;
const lookEveryMs = 200;
/** Timeout of a request without a prompt, and the number of tries before the wallet counts as gone. */
const answerMs = 5_000;
const retryMs = 1_000;
const maxTries = 3;

/**
 * Watches the session's wallet without prompts. Calls `onGone` once if the account or network changes or the wallet disappears.
 */
export function watchWallet({ id, address, network }: SessionWallet, onGone: () => void): () => void {
  let isOver = false;
  let stopListening = () => {};
  let wallet: BitcoinWallet | null = null;

  const stop = () => {
    isOver = true;
    stopListening();
    document.removeEventListener('visibilitychange', checkAccount);
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
  /**
   * Asks for the account after any event, because some wallets fire `disconnect` on page load and network switches. `said` is
   * used if the wallet cannot tell or is silent. Repeated failures count as gone.
   */
  const ask = async (change?: WalletChange) => {
    for (let tried = 1; wallet && !isOver; tried++) {
      try {
        const answer = await inTime(Promise.all([wallet.current(), wallet.network()]));
        if (answer === null) return judge(change);
        const [now = change, on] = answer;
        return judge(isSameNetwork(on, network) ? now : null);
      } catch {
        if (tried === maxTries) return judge(null);
        await sleep(retryMs);
      }
    }
  };
  // For wallets without events.
  const checkAccount = () => {
    if (document.visibilityState === 'visible') void ask();
  };

  void findWallet(id, network, () => isOver).then((found) => {
    if (isOver) return;
    if (!found) return judge(null);
    wallet = found;
    stopListening = found.onChange((now) => void ask(now));
    document.addEventListener('visibilitychange', checkAccount);
    void ask();
  });
  return stop;
}

async function findWallet(id: string, network: SessionWallet['network'], isOver: () => boolean): Promise<BitcoinWallet | null> {
  for (const until = Date.now() + waitMs; !isOver();) {
    const found = detectWallets(network).find((one) => one.id === id);
    if (found) return found;
    if (Date.now() >= until) return null;
    await sleep(lookEveryMs);
  }
  return null;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Null on timeout. */
async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), answerMs);
  });
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}
