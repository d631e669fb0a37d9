import { useEffect, useRef, useState } from 'react';
import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { api } from '../net/client.ts';
import { checkAddress } from './checks.ts';
import { detectWallets } from './detect.ts';
import type { BitcoinWallet } from './wallet.ts';

/** Extensions inject themselves late, so wait before reporting none. */
const looksFor = 1_000;
const lookEveryMs = 100;

export interface ConnectedAddress {
  wallet: BitcoinWallet;
  address: string;
  network: BitcoinNetwork;
  sign: (message: string) => Promise<string>;
}

export type WalletState =
  | { is: 'looking' }
  | { is: 'choosing'; wallets: readonly BitcoinWallet[] }
  /** Waiting for the person to act in the wallet. */
  | { is: 'waiting'; wallet: BitcoinWallet; for: 'connect' | 'sign' };

/** The person stopped waiting, so ignore a late response. */
class GivenUp extends Error {}

/** Finds wallets, connects one, checks its address and calls `finish`. The person can stop waiting for a silent wallet. */
export function useWallet(finish: (connected: ConnectedAddress) => Promise<void>) {
  const [state, setState] = useState<WalletState>({ is: 'looking' });
  const [error, setError] = useState<unknown>(null);
  const attempt = useRef<AbortController | null>(null);
  const network = useRef<BitcoinNetwork>('mainnet');
  const latestFinish = useRef(finish);
  latestFinish.current = finish;

  const detect = async (signal: AbortSignal) => {
    setError(null);
    setState({ is: 'looking' });
    try {
      ({ network: network.current } = await api.wallet.network(undefined, { signal }));
      const wallets = await findWallets(network.current, signal);
      if (!signal.aborted) setState({ is: 'choosing', wallets });
    } catch (failure) {
      if (signal.aborted) return;
      setError(failure);
      setState({ is: 'choosing', wallets: [] });
    }
  };

  const choose = async (wallet: BitcoinWallet, wallets: readonly BitcoinWallet[]) => {
    attempt.current?.abort();
    const current = new AbortController();
    attempt.current = current;
    const orGivenUp = <T>(request: Promise<T>): Promise<T> =>
      Promise.race([
        request,
        new Promise<never>((_, reject) => current.signal.addEventListener('abort', () => reject(new GivenUp()), { once: true })),
      ]);
    setError(null);
    setState({ is: 'waiting', wallet, for: 'connect' });
    try {
      const connection = await orGivenUp(wallet.connect());
      const address = await orGivenUp(checkAddress(wallet, connection, network.current));
      await orGivenUp(
        latestFinish.current({
          wallet,
          address,
          network: network.current,
          sign: (message) => {
            setState({ is: 'waiting', wallet, for: 'sign' });
            // Spelled as the wallet returned it, because some accept only that.
            return orGivenUp(wallet.signMessage(connection ?? address, message));
          },
        }),
      );
    } catch (failure) {
      if (current.signal.aborted) return;
      setError(failure);
    }
    if (!current.signal.aborted) setState({ is: 'choosing', wallets });
  };

  const giveUp = () => {
    attempt.current?.abort();
    setState({ is: 'choosing', wallets: detectWallets(network.current) });
  };

  useEffect(() => {
    const looking = new AbortController();
    void detect(looking.signal);
    return () => {
      looking.abort();
      attempt.current?.abort();
    };
  }, []);

  return { state, error, network: network.current, choose, giveUp };
}

async function findWallets(network: BitcoinNetwork, signal: AbortSignal): Promise<readonly BitcoinWallet[]> {
  for (const until = Date.now() + looksFor; ;) {
    const wallets = detectWallets(network);
    if (wallets.length > 0 || Date.now() >= until || signal.aborted) return wallets;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
