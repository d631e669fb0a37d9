import { useEffect, useRef, useState } from 'react';
import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { api } from '../net/client.ts';
import { checkAddress } from './checks.ts';
import { detectWallets } from './detect.ts';
import type { BitcoinWallet } from './wallet.ts';

/** Extensions inject themselves late, so wait before reporting none. */
const detectionTimeoutMs = 1_000;
const pollIntervalMs = 100;

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
class CanceledError extends Error {}

/** Finds wallets, connects one, checks its address and calls `onConnected`. The person can stop waiting for a silent wallet. */
export function useWallet(onConnected: (connectedAddress: ConnectedAddress) => Promise<void>) {
  const [state, setState] = useState<WalletState>({ is: 'looking' });
  const [error, setError] = useState<unknown>(null);
  const attempt = useRef<AbortController | null>(null);
  const network = useRef<BitcoinNetwork>('mainnet');
  const onConnectedRef = useRef(onConnected);
  onConnectedRef.current = onConnected;

  const detectOnce = async (signal: AbortSignal) => {
    setError(null);
    setState({ is: 'looking' });
    try {
      ({ network: network.current } = await api.wallet.network(undefined, { signal }));
      const wallets = await findWallets(network.current, signal);
      if (!signal.aborted) setState({ is: 'choosing', wallets });
    } catch (walletError) {
      if (signal.aborted) return;
      setError(walletError);
      setState({ is: 'choosing', wallets: [] });
    }
  };

  const connectWallet = async (wallet: BitcoinWallet, wallets: readonly BitcoinWallet[]) => {
    attempt.current?.abort();
    const abortController = new AbortController();
    attempt.current = abortController;
    const rejectOnCancel = <T>(request: Promise<T>): Promise<T> =>
      Promise.race([
        request,
        new Promise<never>((_, reject) =>
          abortController.signal.addEventListener('abort', () => reject(new CanceledError()), { once: true }),
        ),
      ]);
    setError(null);
    setState({ is: 'waiting', wallet, for: 'connect' });
    try {
      const connection = await rejectOnCancel(wallet.connect());
      const address = await rejectOnCancel(checkAddress(wallet, connection, network.current));
      await rejectOnCancel(
        onConnectedRef.current({
          wallet,
          address,
          network: network.current,
          sign: (message) => {
            setState({ is: 'waiting', wallet, for: 'sign' });
            // Spelled as the wallet returned it, because some accept only that.
            return rejectOnCancel(wallet.signMessage(connection ?? address, message));
          },
        }),
      );
    } catch (walletError) {
      if (abortController.signal.aborted) return;
      setError(walletError);
    }
    if (!abortController.signal.aborted) setState({ is: 'choosing', wallets });
  };

  const cancel = () => {
    attempt.current?.abort();
    setState({ is: 'choosing', wallets: detectWallets(network.current) });
  };

  useEffect(() => {
    const detectionController = new AbortController();
    void detectOnce(detectionController.signal);
    return () => {
      detectionController.abort();
      attempt.current?.abort();
    };
  }, []);

  return { state, error, network: network.current, choose: connectWallet, giveUp: cancel };
}

async function findWallets(network: BitcoinNetwork, signal: AbortSignal): Promise<readonly BitcoinWallet[]> {
  for (const deadline = Date.now() + detectionTimeoutMs; ;) {
    const wallets = detectWallets(network);
    if (wallets.length > 0 || Date.now() >= deadline || signal.aborted) return wallets;
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
}
