import { defineCommand, none, type Done } from '../engine/define.ts';

export const accountWallet = [
  defineCommand({
    id: 'account.bindWallet',
    permission: 'anyone',
    icon: 'wallet',
    place: '/account',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui }) => ui.openFactor({ kind: 'wallet' }),
  }),
  defineCommand({
    id: 'account.unbindWallet',
    permission: 'anyone',
    icon: 'unlink',
    place: '/account',
    target: none,
    params: null,
    danger: 'irreversible',
    run: ({ api }) => api.wallet.unbindAddress(),
    done: (): Done => ({ stale: ['account'] }),
  }),
];
