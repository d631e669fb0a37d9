import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { createApi } from '../net/client.ts';
import { createChunk } from '../chunks/loader.ts';
import { $sessionWallet, clearSession } from '../session/session.ts';
import { $loginNotice } from '../session/watch-session.ts';

const watchChunk = createChunk(() => import('./watch.ts').then(({ watchWallet }) => watchWallet));
const retryMs = 10_000;

/** Ends the session when its wallet changes (specification §4). */
export function useSessionWallet(): void {
  const wallet = useStore($sessionWallet);
  useEffect(() => {
    if (!wallet) return;
    let isStopped = false;
    let stopWatching = () => {};
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const start = () =>
      void watchChunk.load().then(
        (watchWallet) => {
          if (!isStopped) stopWatching = watchWallet(wallet, onWalletGone);
        },
        () => {
          if (!isStopped) retryTimer = setTimeout(start, retryMs);
        },
      );
    start();
    return () => {
      isStopped = true;
      clearTimeout(retryTimer);
      stopWatching();
    };
  }, [wallet]);
}

/** Also on the server, with the token that this browser then deletes. */
function onWalletGone(): void {
  const signOutRequest = createApi('session.signOut', null).session.signOut();
  $loginNotice.set('login.walletGone');
  clearSession();
  signOutRequest.catch(() => {});
}
