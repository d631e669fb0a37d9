import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { signOutLocally } from '../../commands/app/context.ts';
import { refreshAccess } from '../../lib/session/access.ts';
import { readLastActive, readLastActiveInTab, setBackgroundAfter } from '../../lib/session/activity.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $expiry, $loginEmail, setAccess } from '../../lib/session/session.ts';
import { SignInSteps, type SignedIn, type SignInStep } from '../../lib/session/sign-in-flow.tsx';
import { PlainForm } from '../../lib/session/plain-form.tsx';
import { ProviderLink } from '../../lib/session/provider-link.tsx';
import { readSsoWay, ssoStartHash } from '../../lib/session/sso-way.ts';
import { Button } from '../../lib/ui/button.tsx';
import { lineClass } from '../../lib/ui/form/line-class.ts';
import { Dialog } from '../../lib/ui/overlay/dialog.tsx';
import { $expired } from '../../lib/session/watch-session.ts';

/** Warns before the session ends. Afterwards the same person can sign in again above the unchanged page. */
export function SessionExpiryDialog() {
  const isExpired = useStore($expired);
  const expiry = useStore($expiry);
  const timeLeft = useTimeLeft(expiry, isExpired);
  const [dismissedExpiry, setDismissedExpiry] = useState<string | null>(null);
  if (isExpired) return <SignInAgain />;
  if (!expiry || timeLeft === null || timeLeft.ms > timeLeft.warnMs || timeLeft.ms <= 0) return null;
  // An absolute limit is announced once, because it cannot be extended.
  if (timeLeft.isAbsolute && dismissedExpiry === expiry.expiresAt) return null;
  const n = Math.ceil(timeLeft.ms / 1000);
  const extendSession = () => void refreshAccess().catch(() => {});
  const close = timeLeft.isAbsolute ? () => setDismissedExpiry(expiry.expiresAt) : extendSession;
  return (
    <Dialog
      open
      alert
      size="small"
      onClose={close}
      title={t('account.expiry.soonTitle')}
      description={t(timeLeft.isAbsolute ? 'account.expiry.soonAbsolute' : 'account.expiry.soon', { n })}
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
            {t(timeLeft.isAbsolute ? 'common.close' : 'account.expiry.stay')}
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
function useTimeLeft(expiry: { idleSeconds: number; expiresAt: string } | null, isExpired: boolean): TimeLeft | null {
  const [timeLeft, setTimeLeft] = useState<TimeLeft | null>(null);
  useEffect(() => {
    if (!expiry || isExpired) return;
    const idleMs = expiry.idleSeconds * 1000;
    const expiresAtMs = Date.parse(expiry.expiresAt);
    const warnMs = Math.min(120_000, idleMs / 4);
    const refreshIntervalMs = Math.min(300_000, idleMs / 4);
    setBackgroundAfter(Math.min(60_000, idleMs / 4));
    let lastRefreshAt = Date.now();
    const checkExpiry = () => {
      const now = Date.now();
      const idleLeftMs = readLastActive() + idleMs - now;
      const absoluteLeftMs = expiresAtMs - now;
      const ms = Math.min(idleLeftMs, absoluteLeftMs);
      setTimeLeft(ms > warnMs ? null : { ms, warnMs, isAbsolute: absoluteLeftMs <= idleLeftMs });
      const isActive = now - readLastActiveInTab() < Math.min(60_000, idleMs / 4);
      const sinceRefreshMs = Math.abs(now - lastRefreshAt); // the clock may have been set back
      if ((isActive && sinceRefreshMs > refreshIntervalMs) || (ms <= 0 && sinceRefreshMs > 5_000)) {
        lastRefreshAt = now;
        void refreshAccess().catch(() => {}); // listeners handle the end of the session
      }
    };
    const timer = setInterval(checkExpiry, 1000);
    return () => clearInterval(timer);
  }, [expiry, isExpired]);
  return isExpired ? null : timeLeft;
}

function SignInAgain() {
  const email = useStore($loginEmail);
  const [step, setStep] = useState<SignInStep | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [ssoWay] = useState(readSsoWay);
  const [isFormOpen, setFormOpen] = useState(!ssoWay?.required);
  const restoreSession = ({ authorization, access }: SignedIn) => {
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
      description={t('account.expiry.intro')}
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
            onSignedIn={restoreSession}
            onBack={(backNotice) => {
              setNotice(backNotice ?? null);
              setStep(null);
            }}
          />
        ) : (
          <>
            {ssoWay && (
              <>
                <ProviderLink name={ssoWay.name} start={ssoStartHash} />
                {isFormOpen ? (
                  <p className="py-3 text-center text-meta text-2" aria-hidden="true">
                    {t('login.or')}
                  </p>
                ) : (
                  <Button look="ghost" className="mt-3" onClick={() => setFormOpen(true)}>
                    {t('login.otherWays')}
                  </Button>
                )}
              </>
            )}
            {isFormOpen && (
              <>
                <label className="flex flex-col gap-1 pb-3 text-label font-medium">
                  {t('login.email')}
                  <input
                    type="email"
                    autoComplete="username"
                    readOnly
                    value={email}
                    className={`${lineClass} font-normal text-2`}
                  />
                </label>
                <PlainForm
                  fields={{ password: { as: 'secret', fills: 'current-password', label: 'login.password' } }}
                  submitLabel={t('login.submit')}
                  isFirst={!ssoWay || ssoWay.required}
                  submit={async ({ password }) => {
                    const response = await api.session.signIn({ email, password: password ?? '' });
                    if ('step' in response) setStep(response);
                    else restoreSession(response);
                  }}
                />
              </>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}
