import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Wallet from 'lucide-react/icons/wallet';
import { useEffect, useRef } from 'react';
import { ApiError } from '../net/client.ts';
import { errorText } from '../net/errors.ts';
import { t } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { useWallet, type ConnectedAddress } from './use-wallet.ts';
import { WalletError, type BitcoinWallet } from './wallet.ts';

interface WalletPanelProps {
  /** Its error is shown in the panel. */
  finish: (connectedAddress: ConnectedAddress) => Promise<void>;
  onClose: () => void;
}

export function WalletPanel({ finish, onClose }: WalletPanelProps) {
  const { state, error, network, choose, giveUp } = useWallet(finish);
  const hasNoWallet = state.is === 'choosing' && state.wallets.length === 0 && !error;
  return (
    <section aria-label={t('wallet.title')} className="mt-6 flex flex-col gap-3" data-wallet={state.is}>
      <div role="alert" className="empty:hidden">
        {(error !== null || hasNoWallet) && (
          <div className="flex gap-2 rounded-control bg-bad-bg px-3 py-2 text-body text-bad-text">
            <CircleAlert size={16} aria-hidden="true" className="mt-0.5 text-bad-icon" />
            <div>
              <p>{hasNoWallet ? t('errors.code.NO_ACCOUNT') : problemText(error, network)}</p>
              {hasNoWallet && <p className="mt-1 text-meta">{t('wallet.install')}</p>}
            </div>
          </div>
        )}
      </div>
      <p role="status" className="text-body text-2 empty:hidden">
        {state.is === 'looking' && t('wallet.looking')}
        {state.is === 'choosing' && state.wallets.length > 0 && t('wallet.choose')}
        {state.is === 'waiting' &&
          t(state.for === 'sign' ? 'wallet.waitSign' : 'wallet.waitConnect', { name: state.wallet.name })}
      </p>
      {state.is === 'choosing' && state.wallets.length > 0 && (
        <WalletChoice wallets={state.wallets} onChoose={(wallet) => void choose(wallet, state.wallets)} />
      )}
      {state.is === 'waiting' ? (
        <FocusedButton key="waiting" onClick={giveUp} />
      ) : (
        <FocusedButton key="idle" onClick={onClose} isQuiet={state.is === 'choosing' && state.wallets.length > 0} />
      )}
    </section>
  );
}

function WalletChoice({ wallets, onChoose }: { wallets: readonly BitcoinWallet[]; onChoose: (wallet: BitcoinWallet) => void }) {
  const firstButton = useRef<HTMLButtonElement>(null);
  useEffect(() => firstButton.current?.focus(), []);
  return (
    <ul className="flex flex-col gap-2">
      {wallets.map((wallet, index) => (
        <li key={wallet.id}>
          <Button
            ref={index === 0 ? firstButton : null}
            className="w-full justify-start pointer-coarse:h-11"
            icon={
              wallet.icon ? (
                <img src={wallet.icon} alt="" width={16} height={16} referrerPolicy="no-referrer" />
              ) : (
                <Wallet size={16} strokeWidth={1.75} aria-hidden="true" />
              )
            }
            onClick={() => onChoose(wallet)}
          >
            {wallet.name}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Focused unless there is something to choose. */
function FocusedButton({ onClick, isQuiet = false }: { onClick: () => void; isQuiet?: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isQuiet) button.current?.focus();
  }, [isQuiet]);
  return (
    <Button ref={button} look="ghost" className="self-start pointer-coarse:h-11" onClick={onClick}>
      {t('common.cancel')}
    </Button>
  );
}

function problemText(error: unknown, network: string): string {
  if (error instanceof WalletError) {
    if (error.code === 'noAccount') return t('errors.code.NO_ACCOUNT');
    if (error.code === 'notTaproot') return t('errors.taproot');
    if (error.code === 'network') return t('wallet.failed.network', { network: t(`wallet.network.${network as 'mainnet'}`) });
    return t(`wallet.failed.${error.code}`);
  }
  if (error instanceof ApiError && error.code === 'SIGN_IN_FAILED') return t('wallet.failed.signature');
  if (error instanceof ApiError && error.issues.some(({ path }) => path === 'address')) return t('errors.taproot');
  return errorText(error);
}
