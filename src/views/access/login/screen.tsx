import { useStore } from '@nanostores/react';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Info from 'lucide-react/icons/info';
import Languages from 'lucide-react/icons/languages';
import Wallet from 'lucide-react/icons/wallet';
import { useEffect, useLayoutEffect, useRef, useState, type ComponentProps, type ComponentType } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { resolveReturnPath } from '../../../lib/session/guard.ts';
import { loadDictionary, loadResourceTexts } from '../../../lib/i18n/boot.ts';
import { locale, t } from '../../../lib/i18n/i18n.ts';
import { switchLocale } from '../../../lib/i18n/locale.ts';
import { createChunk, type Chunk } from '../../../lib/chunks/loader.ts';
import { areCookiesEnabled } from '../../../lib/session/cookies.ts';
import { writeTabStored } from '../../../lib/prefs/storage.ts';
import { signInEmailKey, takeReturnPath, takeReturnState } from '../../../lib/session/return-to.ts';
import { $authorization, $permittedRoutes, setAccess } from '../../../lib/session/session.ts';
import type { SignInState, SignedIn } from '../../../lib/session/sign-in-flow.tsx';
import {
  invitationStart,
  proofStartHash,
  providerSignOutKey,
  readSsoWay,
  ssoStartHash,
  type SsoWay,
} from '../../../lib/session/sso-way.ts';
import { buttonClass } from '../../../lib/ui/button-class.ts';
import { FailureText } from '../../../lib/ui/failure.tsx';
import { useChunk } from '../../../lib/chunks/use-chunk.ts';
import { $loginNotice } from '../../../lib/session/watch-session.ts';
import { readStoredSignIn, SignInForm } from './sign-in-form.tsx';
import type { SsoStart } from './sso.tsx';

/** Light: loads commands and the API only when used. */
export function Login() {
  const [signInFlow, setSignInFlow] = useState(initialFlow);
  const [ssoWay] = useState(readSsoWay);
  const [isFormOpen, setFormOpen] = useState(!ssoWay?.required || readStoredSignIn(signInEmailKey) !== '');
  const [successNotice, setSuccessNotice] = useState<string>();
  // A link may set a colleague's password, and the provider's answer may link an account.
  useFollowSignIn(signInFlow?.kind === 'link' || signInFlow?.kind === 'sso');
  const [isWalletOpen, setWalletOpen] = useState(false);
  const walletButton = useRef<HTMLButtonElement>(null);
  const [isBlocked, setBlocked] = useState(() => !areCookiesEnabled());
  // Checked each time, because the person may have allowed cookies since.
  const checkCookies = () => {
    const areCookiesKept = areCookiesEnabled();
    setBlocked(!areCookiesKept);
    return areCookiesKept;
  };
  // Navigates by the session change.
  const completeSignIn = ({ access, authorization }: SignedIn) => {
    setSignInFlow(null);
    setAccess(access, authorization);
  };
  const goBack = (notice?: string) => {
    setSuccessNotice(notice);
    setSignInFlow(null);
  };
  useEffect(() => {
    document.title = `${t('login.title')} · ${t('shell.title')}`;
    // A link opened in this tab: reload to remove its token from the address.
    onhashchange = () => isLinkOpened() && location.reload();
    // Each starts a sign-in once, not again after a sign-out.
    delete window.ssoQuery;
    if (startHashes.includes(location.hash)) history.replaceState(history.state, '', location.pathname);
  }, []);
  return (
    <div className="flex min-h-dvh flex-col bg-canvas">
      <header className="flex h-bar items-center justify-end px-3">
        <LanguageToggle />
      </header>
      <main id="main" className="mx-auto flex w-full max-w-88 flex-1 flex-col justify-center px-4 pt-4 pb-24">
        <img src="/favicon.svg" alt="" width={36} height={36} />
        <h1 className="mt-5 text-title font-semibold">{t('login.welcome')}</h1>
        <p className="mt-1 text-label text-2">{t('login.intro')}</p>
        <Notices />
        {ssoWay && !signInFlow && <ProviderSignOut name={ssoWay.name} />}
        {isBlocked && (
          <div role="alert" className="mt-5 flex gap-2 rounded-control bg-bad-bg px-3 py-2 text-body text-bad-text">
            <CircleAlert size={16} aria-hidden="true" className="mt-0.5 text-bad-icon" />
            <p>{t('login.cookiesBlocked')}</p>
          </div>
        )}
        {successNotice && !signInFlow && (
          <p role="status" className="mt-5 rounded-control bg-info-bg px-3 py-2 text-body text-info-text">
            {successNotice}
          </p>
        )}
        {isWalletOpen ? (
          <LazyStep
            of={walletChunk}
            props={{
              onClose: () => {
                setWalletOpen(false);
                requestAnimationFrame(() => walletButton.current?.focus());
              },
            }}
          />
        ) : signInFlow?.kind === 'sso' ? (
          <LazyStep of={ssoChunk} props={{ start: signInFlow.start, onSignedIn: completeSignIn, onBack: goBack }} />
        ) : signInFlow ? (
          <LazyStep of={flowChunk} props={{ flow: signInFlow, onSignedIn: completeSignIn, onBack: goBack }} />
        ) : (
          <>
            {ssoWay && (
              <SsoButton
                way={ssoWay}
                isFirst={!isFormOpen}
                onClick={() => checkCookies() && setSignInFlow({ kind: 'sso', start: { kind: 'start' } })}
              />
            )}
            {isFormOpen ? (
              <>
                {ssoWay && <Divider />}
                <SignInForm
                  mayGoOn={checkCookies}
                  onStep={(step) => setSignInFlow({ kind: 'step', step })}
                  onForgot={(email) => setSignInFlow({ kind: 'forgot', email })}
                />
              </>
            ) : (
              <button type="button" className={buttonClass('ghost', 'mt-3 px-2 text-2')} onClick={() => setFormOpen(true)}>
                {t('login.otherWays')}
              </button>
            )}
          </>
        )}
        {!isWalletOpen && isFormOpen && signInFlow?.kind !== 'sso' && (
          <WalletButton ref={walletButton} onClick={() => checkCookies() && setWalletOpen(true)} />
        )}
      </main>
    </div>
  );
}

type Flow = SignInState | { kind: 'sso'; start: SsoStart };

const linkStart = '#set-password='; // lib/session/link-token.ts

const startHashes = [ssoStartHash, proofStartHash];

const isLinkOpened = () => [linkStart, invitationStart].some((start) => location.hash.startsWith(start));

function initialFlow(): Flow | null {
  const { ssoQuery: query } = window;
  const { hash } = location;
  const isSignedIn = $authorization.get() !== null;
  if (query && /(^|&)(code|error)=/.test(query)) return { kind: 'sso', start: { kind: 'answer', query } };
  if (query && !isSignedIn) return { kind: 'sso', start: { kind: 'start', issuer: new URLSearchParams(query).get('iss') ?? '' } };
  if (hash === ssoStartHash) return { kind: 'sso', start: { kind: 'start' } };
  if (hash === proofStartHash && isSignedIn) return { kind: 'sso', start: { kind: 'proof' } };
  if (hash.startsWith(invitationStart) || readStoredSignIn(invitationStart))
    return { kind: 'sso', start: { kind: 'invitation' } };
  return hash.startsWith(linkStart) || readStoredSignIn(linkStart) ? { kind: 'link' } : null;
}

const loadFlowTexts = () => Promise.all([loadDictionary(), loadResourceTexts()]);
const flowChunk = createChunk(
  async () => (await Promise.all([import('../../../lib/session/sign-in-flow.tsx'), loadFlowTexts()]))[0].SignInFlow,
);

const ssoChunk = createChunk(async () => (await Promise.all([import('./sso.tsx'), loadFlowTexts()]))[0].SsoFlow);

/** Rarely needed, so in separate chunks. */
function LazyStep<Props extends object>({ of, props }: { of: Chunk<ComponentType<Props>>; props: Props }) {
  const { value: LoadedStep, error, retry, retrying } = useChunk(of, true);
  if (LoadedStep) return <LoadedStep {...props} />;
  if (error) return <FailureText error={error} onRetry={retry} retrying={retrying} />;
  return (
    <p role="status" className="mt-6 text-body text-2">
      {t('common.loading')}
    </p>
  );
}

/** Leaves after a sign-in, here or in another tab, and immediately if already signed in. */
function useFollowSignIn(isFlowOpen: boolean) {
  const authorization = useStore($authorization);
  const isSignedIn = authorization !== null && !isFlowOpen;
  useLayoutEffect(() => {
    if (!isSignedIn) return;
    window.earlyKeys?.keep(); // until the panel has rendered
    $loginNotice.set(null);
    navigate(resolveReturnPath(takeReturnPath(), $permittedRoutes.get()), { replace: true, state: takeReturnState() });
  }, [isSignedIn]);
}

function LanguageToggle() {
  const otherLocale = locale() === 'zh-CN' ? 'en-US' : 'zh-CN';
  return (
    <button
      type="button"
      onClick={() => switchLocale(otherLocale)}
      aria-label={t('shell.switchLanguage')}
      className={buttonClass('ghost', 'px-2 text-2 hover:text-1')}
    >
      <Languages size={16} strokeWidth={1.75} aria-hidden="true" />
      <span lang={otherLocale}>{t('shell.otherLanguage')}</span>
    </button>
  );
}

/** Why the person was signed out. */
function Notices() {
  const notice = useStore($loginNotice);
  if (!notice) return null;
  return (
    <div role="status" className="mt-5 flex gap-2 rounded-control bg-info-bg px-3 py-2 text-body text-info-text">
      <Info size={16} aria-hidden="true" className="mt-0.5 text-info-icon" />
      <p>{t(notice)}</p>
    </div>
  );
}

const SsoButton = ({ way, isFirst, onClick }: { way: SsoWay; isFirst: boolean; onClick: () => void }) => (
  <button
    type="button"
    autoFocus={isFirst}
    className={buttonClass(isFirst ? 'primary' : 'secondary', 'mt-6 w-full px-3', 'h-9 pointer-coarse:h-11')}
    onClick={onClick}
  >
    <span className="truncate">{t('login.sso', { name: way.name })}</span>
  </button>
);

const Divider = () => (
  <div className="my-5 flex items-center gap-3 text-meta text-2 [&+form]:mt-0" aria-hidden="true">
    <span className="h-px flex-1 bg-hairline" />
    {t('login.or')}
    <span className="h-px flex-1 bg-hairline" />
  </div>
);

/** Offered once, after a sign-out here. */
function ProviderSignOut({ name }: { name: string }) {
  const [url] = useState(() => readStoredSignIn(providerSignOutKey));
  useEffect(() => void writeTabStored(providerSignOutKey, null), []);
  return (
    url && (
      <a href={url} className={buttonClass('ghost', 'mt-5 self-start px-2')}>
        {t('login.signOutToo', { name })}
      </a>
    )
  );
}

function WalletButton(props: ComponentProps<'button'>) {
  return (
    <>
      <Divider />
      <button type="button" className={buttonClass('secondary', 'w-full px-3', 'h-9 pointer-coarse:h-11')} {...props}>
        <Wallet size={16} strokeWidth={1.75} aria-hidden="true" />
        {t('login.wallet')}
      </button>
    </>
  );
}

/** Loads wallet code only on request. */
const walletChunk = createChunk(
  async () => (await Promise.all([import('../../../lib/wallet/sign-in.tsx'), loadFlowTexts()]))[0].WalletSignIn,
);
