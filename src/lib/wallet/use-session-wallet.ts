import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { apiFor } from '../net/client.ts';
import { createChunk } from '../chunks/loader.ts';
import { $sessionWallet, clearSession } from '../session/session.ts';
import { $loginNotice } from '../session/watch-session.ts';

const watching = createChunk(() => import('./watch.ts').then(({ watchWallet }) => watchWallet));
const retryMs = 10_000;

/** Ends the session when its wallet changes (specification §4). */
export function useSessionWallet(): void {
  const wallet = useStore($sessionWallet);
  useEffect(() => {
    if (!wallet) return;
    let isOver = false;
    let stop = () => {};
    let again: ReturnType<typeof setTimeout> | undefined;
    const start = () =>
      void watching.load().then(
        (watchWallet) => {
          if (!isOver) stop = watchWallet(wallet, walletGone);
        },
        () => {
          if (!isOver) again = setTimeout(start, retryMs);
        },
      );
    start();
    return () => {
      isOver = true;
      clearTimeout(again);
      stop();
    };
  }, [wallet]);
}

/** Also on the server, with the token that this browser then deletes. */
function walletGone(): void {
  const revoked = apiFor('session.signOut', null).session.signOut();
  $loginNotice.set('login.walletGone');
  clearSession();
  revoked.catch(() => {});
}
