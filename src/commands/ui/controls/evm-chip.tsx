import { useStore } from '@nanostores/react';
import Wallet from 'lucide-react/icons/wallet';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/net/client.ts';
import { $evmStep, $evmWallet } from '../../../lib/evm/store.ts';
import { shortenMiddle } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { buttonClass } from '../../../lib/ui/button-class.ts';
import { Menu, MenuSeparator } from '../../../lib/ui/overlay/menu.tsx';
import { CommandItem } from './command-trigger.tsx';

export function EvmChip() {
  const wallet = useStore($evmWallet);
  const step = useStore($evmStep);
  const [chainId, setChainId] = useState<number | null>(null);
  useEffect(
    () =>
      void api.chain.get().then(
        (chain) => setChainId(chain.chainId),
        () => {},
      ),
    [],
  );
  if (!wallet) return null;
  const isOnOtherChain = chainId !== null && wallet.chainId !== chainId;
  const chipText = step ? t(`evm.step.${step}`) : isOnOtherChain ? t('evm.otherChain') : shortenMiddle(wallet.account);
  return (
    <>
      <Menu
        align="end"
        opener={(openerProps) => (
          <button
            type="button"
            {...openerProps}
            data-evm={wallet.account}
            aria-label={`${t('evm.chip', { account: wallet.account })} ${step || isOnOtherChain ? chipText : ''}`}
            className={buttonClass('ghost', `px-2 hover:text-1 ${isOnOtherChain ? 'text-bad-text' : 'text-2'}`)}
          >
            <Wallet size={16} strokeWidth={1.75} aria-hidden="true" />
            <span className={`hidden truncate sm:block ${step || isOnOtherChain ? '' : 'font-mono text-meta'}`}>{chipText}</span>
          </button>
        )}
      >
        <div className="max-w-72 px-2 py-1 text-meta text-2">
          <div>{wallet.name}</div>
          <div className="font-mono break-all" dir="ltr">
            {wallet.account}
          </div>
          <div>{t('evm.onChain', { chain: wallet.chainId })}</div>
        </div>
        <MenuSeparator />
        <CommandItem id="evm.stopWaiting" />
        <CommandItem id="evm.connect" />
        <CommandItem id="evm.switchChain" />
        <CommandItem id="evm.disconnect" />
      </Menu>
      <span role="status" className="sr-only">
        {step ? t(`evm.step.${step}`) : ''}
      </span>
    </>
  );
}
