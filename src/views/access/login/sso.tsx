import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { ssoFailures } from '../../../../api/access/sign-in-values.ts';
import type { SsoAnswer } from '../../../../api/access/session.ts';
import { t, tMaybe } from '../../../lib/i18n/i18n.ts';
import { api, ApiError } from '../../../lib/net/client.ts';
import { errorText, readRequestId } from '../../../lib/net/errors.ts';
import { writeTabStored, readTabStored } from '../../../lib/prefs/storage.ts';
import { $authorization, $loginEmail } from '../../../lib/session/session.ts';
import { SignInSteps, type SignedIn, type SignInStep } from '../../../lib/session/sign-in-flow.tsx';
import { goToProvider } from '../../../lib/session/start-sso.ts';
import { invitationStart, proofChannel, proofStartHash, readSsoWay } from '../../../lib/session/sso-way.ts';
import { buttonClass } from '../../../lib/ui/button-class.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { showToast } from '../../../lib/ui/overlay/toasts-store.ts';

export type SsoStart =
  /** What the provider returned with. */
  | { kind: 'answer'; query: string }
  /** `issuer`: from the provider's portal. */
  | { kind: 'start'; issuer?: string | undefined }
  /** Of the person of the session. */
  | { kind: 'proof' }
  | { kind: 'invitation' };

interface SsoFlowProps {
  start: SsoStart;
  onSignedIn: (answer: SignedIn) => void;
  onBack: () => void;
}

type LinkStep = Extract<SsoAnswer, { step: 'link' }>;

type SsoState =
  | { kind: 'opening' | 'checking' | 'invitation' | 'proven' }
  | { kind: 'step'; step: SignInStep }
  | { kind: 'link'; step: LinkStep }
  | { kind: 'failed'; error: unknown };

const stateOf = ({ kind }: SsoStart): SsoState =>
  kind === 'answer' ? { kind: 'checking' } : kind === 'invitation' ? { kind } : { kind: 'opening' };

const accountPath = '/account';

/** A code works once, and an effect may run twice. */
let answeredQuery: { query: string; answer: Promise<SsoAnswer> } | null = null;

function answerOnce(query: string): Promise<SsoAnswer> {
  if (answeredQuery?.query !== query) answeredQuery = { query, answer: api.session.answerSso({ query }) };
  return answeredQuery.answer;
}

/** Everything after the provider's button: the way there, the answer, and linking. */
export function SsoFlow({ start, onSignedIn, onBack }: SsoFlowProps) {
  const name = readSsoWay()?.name ?? '';
  const [state, setState] = useState<SsoState>(() => stateOf(start));
  const [invitation, setInvitation] = useState(() => (start.kind === 'invitation' ? takeInvitation() : undefined));
  const wasSignedIn = useRef($authorization.get() !== null);
  const [isProof] = useState(() => start.kind === 'proof' || (start.kind === 'answer' && readTabStored(proofStartHash) !== null));
  const fail = (error: unknown) => setState({ kind: 'failed', error });

  const openProvider = () => {
    setState({ kind: 'opening' });
    writeTabStored(proofStartHash, isProof ? 'on' : null); // until this tab returns
    if (isProof) {
      return void goToProvider(() => api.account.proveSso()).catch(fail);
    }
    const issuer = start.kind === 'start' ? start.issuer : undefined;
    const loginHint = $loginEmail.get();
    void goToProvider(() =>
      api.session.startSso({ ...(invitation && { invitation }), ...(issuer && { issuer }), ...(loginHint && { loginHint }) }),
    ).catch(fail);
  };
  const returnToAccount = () => {
    onBack();
    navigate(accountPath, { replace: true });
  };
  const applyAnswer = (answer: SsoAnswer) => {
    if ('authorization' in answer) return onSignedIn(answer);
    if (answer.step === 'link') return setState({ kind: 'link', step: answer });
    if (answer.step !== 'proven') return setState({ kind: 'step', step: answer });
    const channel = new BroadcastChannel(proofChannel);
    channel.postMessage(null);
    channel.close();
    writeTabStored(proofStartHash, null);
    setState({ kind: 'proven' });
  };
  useEffect(() => {
    let isCurrent = true;
    if (start.kind === 'start' || start.kind === 'proof') openProvider();
    if (start.kind === 'answer')
      answerOnce(start.query).then(
        (answer) => isCurrent && applyAnswer(answer),
        (error: unknown) => isCurrent && fail(error),
      );
    // Restored by the Back button.
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && onBack();
    addEventListener('pageshow', onPageShow);
    return () => {
      isCurrent = false;
      removeEventListener('pageshow', onPageShow);
    };
  }, []); // oxlint-disable-line react-hooks/exhaustive-deps -- once, because the provider's code works once

  const leave = () => {
    for (const key of [invitationStart, proofStartHash]) writeTabStored(key, null);
    setInvitation(undefined);
    if (wasSignedIn.current) returnToAccount();
    else onBack();
  };
  return (
    <div className="mt-6 flex flex-col gap-4" data-flow="sso">
      {state.kind === 'opening' && <Waiting>{t('sso.opening', { name })}</Waiting>}
      {state.kind === 'checking' && <Waiting>{t('sso.checking', { name })}</Waiting>}
      {state.kind === 'invitation' && (
        <>
          <Heading>{t('sso.invitation.title', { name })}</Heading>
          <p className="text-body text-2">{t('sso.invitation.intro', { name })}</p>
          <MainButton onClick={openProvider}>{t('login.sso', { name })}</MainButton>
        </>
      )}
      {state.kind === 'link' && (
        <ConfirmLink
          step={state.step}
          onLinked={(answer) => {
            writeTabStored(invitationStart, null);
            if ('authorization' in answer) return onSignedIn(answer);
            if (answer.step !== 'linked') return setState({ kind: 'step', step: answer });
            showToast({ kind: 'success', text: t('common.happened', { what: t('sso.link.linked', { name }) }) });
            returnToAccount();
          }}
          onFailed={fail}
        />
      )}
      {state.kind === 'step' && <SignInSteps first={state.step} onSignedIn={onSignedIn} onBack={leave} />}
      {state.kind === 'proven' && (
        <>
          <Heading>{t('sso.proven.title')}</Heading>
          <p className="text-body text-2">{t('sso.proven.intro')}</p>
        </>
      )}
      {state.kind === 'failed' && (
        <>
          <Problem error={state.error} name={name} />
          {(isProof || !wasSignedIn.current) && (
            <MainButton autoFocus onClick={openProvider}>
              {t('login.sso', { name })}
            </MainButton>
          )}
        </>
      )}
      {state.kind !== 'opening' && state.kind !== 'checking' && (
        <Button look="ghost" className="self-start" onClick={leave}>
          {t(wasSignedIn.current ? 'sso.account' : 'sso.back')}
        </Button>
      )}
    </div>
  );
}

/** From the address, or kept by this tab over a reload. Out of the address, so that it stays out of the history. */
function takeInvitation(): string | undefined {
  const { hash } = location;
  const token = hash.startsWith(invitationStart) ? hash.slice(invitationStart.length) : readTabStored(invitationStart);
  if (token) writeTabStored(invitationStart, token);
  history.replaceState(history.state, '', location.pathname);
  return token ?? undefined;
}

function ConfirmLink({
  step: { ticket, provider, account },
  onLinked,
  onFailed,
}: {
  step: LinkStep;
  onLinked: (answer: Awaited<ReturnType<typeof api.session.confirmSsoLink>>) => void;
  onFailed: (error: unknown) => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const { name } = provider;
  const link = () => {
    setBusy(true);
    api.session.confirmSsoLink({ ticket }).then(onLinked, onFailed);
  };
  return (
    <>
      <Heading>{t('sso.link.title')}</Heading>
      <p className="text-body text-2">{t('sso.link.intro', { name })}</p>
      <dl className="flex flex-col gap-3 rounded-control border border-hairline bg-surface p-3 text-body">
        <div>
          <dt className="text-meta text-2">{t('sso.link.provider', { name })}</dt>
          {provider.displayName && <dd className="font-medium wrap-anywhere">{provider.displayName}</dd>}
          <dd className={`wrap-anywhere ${provider.displayName ? '' : 'font-medium'}`}>{provider.email ?? '—'}</dd>
        </div>
        <div>
          <dt className="text-meta text-2">{t('sso.link.panel')}</dt>
          <dd className="font-medium wrap-anywhere">{account.email}</dd>
        </div>
      </dl>
      <MainButton aria-busy={isBusy || undefined} aria-disabled={isBusy || undefined} onClick={isBusy ? undefined : link}>
        {t('sso.link.act')}
      </MainButton>
    </>
  );
}

/** Focused, so that a screen reader reads it and Enter does nothing by accident. */
function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className="text-section font-semibold outline-none">
      {children}
    </h2>
  );
}

const MainButton = (props: ComponentProps<'button'>) => (
  <button type="button" className={buttonClass('primary', 'w-full px-3', 'h-9 pointer-coarse:h-11')} {...props} />
);

const Waiting = ({ children }: { children: ReactNode }) => (
  <p role="status" className="text-body text-2">
    {children}
  </p>
);

function Problem({ error, name }: { error: unknown; name: string }) {
  const requestId = readRequestId(error);
  return (
    <div role="alert" className="rounded-control bg-bad-bg px-3 py-2 text-body text-bad-text">
      {ssoErrorText(error, name)}
      {requestId && <span className="block font-mono text-meta wrap-anywhere">{t('errors.requestId', { id: requestId })}</span>}
    </div>
  );
}

function ssoErrorText(error: unknown, name: string): string {
  if (error instanceof ApiError && error.code === 'ATTEMPT_GONE') return t('sso.gone');
  if (!(error instanceof ApiError) || error.code !== 'SSO_FAILED') return errorText(error);
  const { reason, seconds = 0 } = (error.data ?? {}) as { reason?: string; seconds?: number };
  const knownReason = ssoFailures.find((failure) => failure === reason);
  return (knownReason && tMaybe(`sso.failed.${knownReason}`, { name, seconds })) ?? errorText(error);
}
