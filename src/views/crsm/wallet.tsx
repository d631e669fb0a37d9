import { useStore } from '@nanostores/react';
import { Run } from '../../commands/ui/controls/run.tsx';
import { $evmWallet } from '../../lib/evm/store.ts';
import { t } from '../../lib/i18n/i18n.ts';

export function WalletCommands() {
  const wallet = useStore($evmWallet);
  if (!wallet) return <Run id="evm.connect" />;
  return (
    <span key={`${wallet.account}${wallet.chainId}`} className="contents">
      <Run id="evm.connect" label={t('crsm.switchWallet')} />
      <Run id="evm.switchChain" compact />
      <Run id="evm.disconnect" compact />
    </span>
  );
}
