import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { $evmWallet, evmKey } from '../../../lib/evm/store.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { createChunk } from '../../../lib/chunks/loader.ts';
import { readStored } from '../../../lib/prefs/storage.ts';
import { showToast } from '../../../lib/ui/overlay/toasts-store.ts';
import { useChunk } from '../../../lib/chunks/use-chunk.ts';
import { useElement } from '../../../lib/ui/use-element.ts';

const chipChunk = createChunk(() => import('./evm-chip.tsx').then(({ EvmChip }) => EvmChip));

/** Milliseconds. A locked wallet may never answer. */
const timeoutMs = 1_000;

export const isWalletUnavailable = (): boolean => readStored(evmKey) !== null && $evmWallet.get() === null;

/** `onBack`: the previous wallet is connected again or won't come. */
export function EvmSlot({ onBack }: { onBack: () => void }) {
  const isConnected = useStore($evmWallet) !== null;
  useEffect(() => {
    if (!isConnected && readStored(evmKey) === null) return;
    const timer = setTimeout(onBack, timeoutMs);
    void import('../../../lib/evm/wallet.ts')
      .then(async ({ reconnectWallet, setOnDropped }) => {
        setOnDropped(() => showToast({ kind: 'error', text: t('evm.gone') }));
        await reconnectWallet();
      })
      .catch(() => {})
      .finally(onBack);
    return () => clearTimeout(timer);
  }, [isConnected, onBack]);
  return isConnected && <EvmChipSlot />;
}

function EvmChipSlot() {
  const { value: LoadedChip } = useChunk(chipChunk, true);
  const slotElement = useElement('bar');
  return LoadedChip && slotElement && createPortal(<LoadedChip />, slotElement);
}
