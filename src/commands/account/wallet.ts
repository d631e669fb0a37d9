import { defineCommand, noTarget, type CommandResult } from '../engine/define.ts';
import { unlessOwn } from './own.ts';

export const accountWallet = [
  defineCommand({
    id: 'account.bindWallet',
    permission: 'anyone',
    icon: 'wallet',
    place: '/account',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui }) => ui.openFactor({ kind: 'wallet' }),
  }),
  defineCommand({
    id: 'account.unbindWallet',
    permission: 'anyone',
    icon: 'unlink',
    ...unlessOwn(({ walletAddress }) => (walletAddress === null ? 'account.blocked.noWallet' : null)),
    place: '/account',
    target: noTarget,
    params: null,
    danger: 'irreversible',
    run: ({ api }) => api.wallet.unbindAddress(),
    done: (): CommandResult => ({ stale: ['account'] }),
  }),
];
