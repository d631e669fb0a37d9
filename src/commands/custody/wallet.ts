import { dataPanelNames } from '../../../api/custody/names.ts';
import { $deviceRequests, stopWaiting } from '../../lib/device/device-request.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { discoverWallets } from '../../lib/evm/discovery.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { absent, defineCommand, no, none, type Done } from '../engine/define.ts';
import { params, pick, type Option } from '../engine/fields.ts';
import { withWallet } from './shared/wallet-problem.ts';

addNames(dataPanelNames);

async function walletOptions(): Promise<Option[]> {
  discoverWallets();
  await new Promise((resolve) => setTimeout(resolve, 50)); // some wallets announce themselves late
  const found = discoverWallets().map(({ id, name }) => ({ value: id, label: name, note: id }));
  return found.length > 0 ? found : [{ value: '', label: t('evm.problem.noWallet'), blocked: 'evm.install' }];
}

const wallet = () => import('../../lib/evm/wallet.ts');

/** Connecting needs a press each time, because the wallet signs money. */
export const evm = [
  defineCommand({
    id: 'evm.connect',
    permission: 'anyone',
    icon: 'wallet',
    place: 'global',
    target: none,
    params: params(
      () => import('./schemas.ts').then(({ walletSchema }) => walletSchema),
      { wallet: pick('evm.wallet', walletOptions) },
      () => {
        const [only, other] = discoverWallets();
        return only && !other ? { wallet: only.id } : {};
      },
    ),
    danger: 'none',
    passing: true,
    run: ({ params: { wallet: id } }) => withWallet(async () => (await wallet()).connectWallet(id)),
    done: (): Done => ({ toast: { key: 'evm.connected', values: { account: shortenMiddle($evmWallet.get()?.account ?? '') } } }),
  }),
  defineCommand({
    id: 'evm.disconnect',
    permission: 'anyone',
    icon: 'unlink',
    place: 'global',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    when: () => $evmWallet.get() !== null || no('evm.problem.none'),
    run: async () => (await wallet()).disconnectWallet(),
    done: (): Done => ({ toast: { key: 'evm.disconnected' } }),
  }),
  defineCommand({
    id: 'evm.switchChain',
    permission: 'anyone',
    icon: 'repeat',
    place: 'global',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    when: () => $evmWallet.get() !== null || no('evm.problem.none'),
    run: async ({ api }) => {
      const chain = await api.chain.get();
      await withWallet(async () => (await wallet()).switchChain(chain));
      return chain;
    },
    done: ({ name }): Done => ({ toast: { key: 'evm.switched', values: { chain: name } } }),
  }),
  defineCommand({
    id: 'evm.stopWaiting',
    permission: 'anyone',
    icon: 'square-x',
    place: 'global',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    when: () => $deviceRequests.get().length > 0 || absent('device.none'),
    run: () => stopWaiting(),
    done: (): Done => ({ toast: null }),
  }),
];
