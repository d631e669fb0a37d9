import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { signOutLocally } from '../../commands/app/context.ts';
import { refreshAccess } from '../../lib/session/access.ts';
import { lastActive, lastActiveInTab, setIdleAfter } from '../../lib/session/idle.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $expiry, $loginEmail, setAccess } from '../../lib/session/session.ts';
import { SignInSteps, type SignedIn, type SignInStep } from '../../lib/session/sign-in-flow.tsx';
import { PlainForm } from '../../lib/session/plain-form.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/overlay/dialog.tsx';
import { $expired } from '../../lib/session/watch-session.ts';

/** Warns before the session ends. Afterwards the same person can sign in again above the unchanged page. */
export function SessionExpiryDialog() {
  const expired = useStore($expired);
  const expiry = useStore($expiry);
  const left = useTimeLeft(expiry, expired);
  const [putAway, setPutAway] = useState<string | null>(null);
  if (expired) return <SignInAgain />;
  if (!expiry || left === null || left.ms > left.warnMs || left.ms <= 0) return null;
  // An absolute limit is announced once, because it cannot be extended.
  if (left.isAbsolute && putAway === expiry.expiresAt) return null;
  const n = Math.ceil(left.ms / 1000);
  const stay = () => void refreshAccess().catch(() => {});
  const close = left.isAbsolute ? () => setPutAway(expiry.expiresAt) : stay;
  return (
    <Dialog
      open
      alert
      size="small"
      onClose={close}
      title={t('account.expiry.soonTitle')}
      description={t(left.isAbsolute ? 'account.expiry.soonAbsolute' : 'account.expiry.soon', { n })}
      footer={
        <>
          <Button
            onClick={() =>
              void api.session
                .signOut()
                .catch(() => {})
                .then(signOutLocally)
            }
          >
            {t('account.expiry.leave')}
          </Button>
          <Button look="primary" data-autofocus="" onClick={close}>
            {t(left.isAbsolute ? 'common.close' : 'account.expiry.stay')}
          </Button>
        </>
      }
    />
  );
}

interface TimeLeft {
  ms: number;
  warnMs: number;
  /** Activity does not extend it. */
  isAbsolute: boolean;
}

/** Checked every second. Only activity extends the session. */
function useTimeLeft(expiry: { idleSeconds: number; expiresAt: string } | null, expired: boolean): TimeLeft | null {
  const [left, setLeft] = useState<TimeLeft | null>(null);
  useEffect(() => {
    if (!expiry || expired) return;
    const idleMs = expiry.idleSeconds * 1000;
    const ends = Date.parse(expiry.expiresAt);
    const warnMs = Math.min(120_000, idleMs / 4);
    const askEveryMs = Math.min(300_000, idleMs / 4);
    setIdleAfter(Math.min(60_000, idleMs / 4));
    let lastAsked = Date.now();
    const look = () => {
      const now = Date.now();
      const idle = lastActive() + idleMs - now;
      const absolute = ends - now;
      const ms = Math.min(idle, absolute);
      setLeft(ms > warnMs ? null : { ms, warnMs, isAbsolute: absolute <= idle });
      const isAtIt = now - lastActiveInTab() < Math.min(60_000, idleMs / 4);
      const sinceAsked = Math.abs(now - lastAsked); // the clock may have been set back
      if ((isAtIt && sinceAsked > askEveryMs) || (ms <= 0 && sinceAsked > 5_000)) {
        lastAsked = now;
        void refreshAccess().catch(() => {}); // listeners handle the end of the session
      }
    };
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [expiry, expired]);
  return expired ? null : left;
}

function SignInAgain() {
  const email = useStore($loginEmail);
  const [step, setStep] = useState<SignInStep | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const signedIn = ({ authorization, access }: SignedIn) => {
    setAccess(access, authorization);
    void queryClient.invalidateQueries();
  };
  return (
    <Dialog
      open
      alert
      size="small"
      onClose={() => {}}
      title={t('account.expiry.title')}
      description={
        <>
          {t('account.expiry.intro')} <span className="block font-medium break-all text-1">{email}</span>
        </>
      }
      footer={
        <Button look="ghost" onClick={signOutLocally}>
          {t('account.expiry.other')}
        </Button>
      }
    >
      <div data-sign-in-again="">
        {notice && (
          <p role="alert" className="pb-2 text-body text-danger-text">
            {notice}
          </p>
        )}
        {step ? (
          <SignInSteps
            first={step}
            onSignedIn={signedIn}
            onBack={(said) => {
              setNotice(said ?? null);
              setStep(null);
            }}
          />
        ) : (
          <PlainForm
            fields={{ password: { as: 'secret', fills: 'current-password', label: 'login.password' } }}
            submitLabel={t('login.submit')}
            submit={async ({ password }) => {
              const answer = await api.session.signIn({ email, password: password ?? '' });
              if ('step' in answer) setStep(answer);
              else signedIn(answer);
            }}
          />
        )}
      </div>
    </Dialog>
  );
}
