import { useStore } from '@nanostores/react';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { $evmWallet } from '../../lib/evm/store.ts';
import { t } from '../../lib/i18n/i18n.ts';

export function WalletCommands() {
  const wallet = useStore($evmWallet);
  if (!wallet) return <CommandTrigger id="evm.connect" label={t('crsm.switchWallet')} />;
  return (
    <span key={`${wallet.account}${wallet.chainId}`} className="contents">
      <CommandTrigger id="evm.connect" label={t('crsm.switchWallet')} />
      <CommandTrigger id="evm.switchChain" compact />
      <CommandTrigger id="evm.disconnect" compact />
    </span>
  );
}
