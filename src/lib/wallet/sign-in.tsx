import { useState } from 'react';
import { api } from '../net/client.ts';
import { t } from '../i18n/i18n.ts';
import { setAccess, type SessionWallet } from '../session/session.ts';
import { SignInSteps, type SignedIn, type SignInStep } from '../session/sign-in-flow.tsx';
import { Button } from '../ui/button.tsx';
import { WalletPanel } from './wallet-panel.tsx';

/** Connects, signs the server's one-time message, and continues with the second factor. */
export function WalletSignIn({ onClose }: { onClose: () => void }) {
  const [signInState, setSignInState] = useState<{ step: SignInStep; wallet: SessionWallet } | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const onSignedIn = ({ access, authorization }: SignedIn, wallet: SessionWallet) => setAccess(access, authorization, wallet);
  if (signInState) {
    return (
      <div className="mt-6 flex flex-col gap-4">
        <SignInSteps
          first={signInState.step}
          onSignedIn={(signInAnswer) => onSignedIn(signInAnswer, signInState.wallet)}
          onBack={(noticeText) => {
            setSignInState(null);
            setNotice(noticeText ?? null);
          }}
        />
        <Button look="ghost" className="self-start" onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </div>
    );
  }
  return (
    <>
      {notice && (
        <p role="status" className="mt-5 rounded-control bg-info-bg px-3 py-2 text-body text-info-text">
          {notice}
        </p>
      )}
      <WalletPanel
        onClose={onClose}
        finish={async ({ wallet: { id: name }, address, network, sign }) => {
          setNotice(null);
          const { id, message } = await api.wallet.challenge({ address });
          const signInAnswer = await api.wallet.signIn({ id, signature: await sign(message) });
          const wallet = { id: name, address, network };
          if ('step' in signInAnswer) setSignInState({ step: signInAnswer, wallet });
          else onSignedIn(signInAnswer, wallet);
        }}
      />
    </>
  );
}
