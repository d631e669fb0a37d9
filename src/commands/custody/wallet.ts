import { dataPanelNames } from '../../../api/custody/names.ts';
import { $deviceRequests, cancelRequests } from '../../lib/device/device-request.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { discoverWallets } from '../../lib/evm/discovery.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { notApplicable, defineCommand, blockedBecause, noTarget, type CommandResult } from '../engine/define.ts';
import { paramSpec, pickField, type FieldOption } from '../engine/fields.ts';
import { withWallet } from './shared/wallet-problem.ts';

addNames(dataPanelNames);

async function walletOptions(): Promise<FieldOption[]> {
  discoverWallets();
  await new Promise((resolve) => setTimeout(resolve, 50)); // some wallets announce themselves late
  const walletChoices = discoverWallets().map(({ id, name }) => ({ value: id, label: name, note: id }));
  return walletChoices.length > 0 ? walletChoices : [{ value: '', label: t('evm.problem.noWallet'), blocked: 'evm.install' }];
}

const wallet = () => import('../../lib/evm/wallet.ts');

/** Connecting needs a press each time, because the wallet signs money. */
export const walletCommands = [
  defineCommand({
    id: 'evm.connect',
    permission: 'anyone',
    icon: 'wallet',
    place: 'global',
    target: noTarget,
    params: paramSpec(
      () => import('./schemas.ts').then(({ walletSchema }) => walletSchema),
      { wallet: pickField('evm.wallet', walletOptions) },
      () => {
        const [firstWallet, secondWallet] = discoverWallets();
        return firstWallet && !secondWallet ? { wallet: firstWallet.id } : {};
      },
    ),
    danger: 'none',
    excludeFromHistory: true,
    run: ({ params: { wallet: id } }) => withWallet(async () => (await wallet()).connectWallet(id)),
    done: (): CommandResult => ({
      toast: { key: 'evm.connected', values: { account: shortenMiddle($evmWallet.get()?.account ?? '') } },
    }),
  }),
  defineCommand({
    id: 'evm.disconnect',
    permission: 'anyone',
    icon: 'unlink',
    place: 'global',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    when: () => $evmWallet.get() !== null || blockedBecause('evm.problem.none'),
    run: async () => (await wallet()).disconnectWallet(),
    done: (): CommandResult => ({ toast: { key: 'evm.disconnected' } }),
  }),
  defineCommand({
    id: 'evm.switchChain',
    permission: 'anyone',
    icon: 'repeat',
    place: 'global',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    when: () => $evmWallet.get() !== null || blockedBecause('evm.problem.none'),
    run: async ({ api }) => {
      const chain = await api.chain.get();
      await withWallet(async () => (await wallet()).switchChain(chain));
      return chain;
    },
    done: ({ name }): CommandResult => ({ toast: { key: 'evm.switched', values: { chain: name } } }),
  }),
  defineCommand({
    id: 'evm.stopWaiting',
    permission: 'anyone',
    icon: 'square-x',
    place: 'global',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    when: () => $deviceRequests.get().length > 0 || notApplicable('device.none'),
    run: () => cancelRequests(),
    done: (): CommandResult => ({ toast: null }),
  }),
];
