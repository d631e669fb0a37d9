import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { $evmWallet, evmKey } from '../../../lib/evm/store.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { chunk } from '../../../lib/chunks/loader.ts';
import { readStored } from '../../../lib/prefs/storage.ts';
import { showToast } from '../../../lib/ui/overlay/toasts-store.ts';
import { useChunk } from '../../../lib/chunks/use-chunk.ts';
import { usePlace } from '../../../lib/ui/place.ts';

const chip = chunk(() => import('./evm-chip.tsx').then(({ EvmChip }) => EvmChip));

/** How long keys and scripts wait for the wallet of before a reload, in milliseconds: a locked one may answer nobody. */
const patience = 1_000;

/** A wallet was connected before this page was loaded, and is not yet found again. */
export const isWalletAway = (): boolean => readStored(evmKey) !== null && $evmWallet.get() === null;

/** Puts the connected EVM wallet into the header. Who has none loads nothing of it. `onBack`: the one of before is here, or will not come. */
export function EvmSlot({ onBack }: { onBack: () => void }) {
  const isConnected = useStore($evmWallet) !== null;
  useEffect(() => {
    if (!isConnected && readStored(evmKey) === null) return;
    const timer = setTimeout(onBack, patience);
    void import('../../../lib/evm/wallet.ts')
      .then(async ({ reconnectWallet, setOnDropped }) => {
        setOnDropped(() => showToast({ kind: 'error', text: t('evm.gone') }));
        await reconnectWallet();
      })
      .catch(() => {})
      .finally(onBack);
    return () => clearTimeout(timer);
  }, [isConnected, onBack]);
  return isConnected && <Chip />;
}

function Chip() {
  const { value: Whole } = useChunk(chip, true);
  const place = usePlace('bar');
  return Whole && place && createPortal(<Whole />, place);
}
