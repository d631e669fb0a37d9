import { useEffect, useState } from 'react';
import type { SignInResponse } from '../../../api/access/session.ts';
import { api, ApiError } from '../net/client.ts';
import { t } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { FactorForm } from './factor-form.tsx';
import { loginPath } from './guard.ts';
import { storeLinkToken, linkToken } from './link-token.ts';
import { PlainForm } from './plain-form.tsx';

export type SignInStep = Exclude<SignInResponse, { authorization: string }>;
export type SignedIn = Extract<SignInResponse, { authorization: string }>;

export type SignInState = { kind: 'step'; step: SignInStep } | { kind: 'forgot'; email: string } | { kind: 'link' };

export interface FlowProps {
  flow: SignInState;
  onSignedIn: (answer: SignedIn) => void;
  /** `notice`: what was done. */
  onBack: (notice?: string) => void;
}

/** The steps after email and password, and resetting a password. */
export function SignInFlow({ flow, onSignedIn, onBack: onLeave }: FlowProps) {
  const onBack: FlowProps['onBack'] = (notice) => {
    storeLinkToken(null);
    onLeave(notice);
  };
  return (
    <div className="mt-6 flex flex-col gap-4" data-flow={flow.kind}>
      {flow.kind === 'step' && <SignInSteps first={flow.step} onSignedIn={onSignedIn} onBack={onBack} />}
      {flow.kind === 'forgot' && <ForgotPassword email={flow.email} onBack={onBack} />}
      {flow.kind === 'link' && <FromLink onBack={onBack} />}
      <Button look="ghost" className="self-start" onClick={() => onBack()}>
        {t('account.signIn.back')}
      </Button>
    </div>
  );
}

/** An expired attempt starts over. */
export function SignInSteps({
  first,
  onSignedIn,
  onBack,
}: {
  first: SignInStep;
  onSignedIn: FlowProps['onSignedIn'];
  onBack: FlowProps['onBack'];
}) {
  const [step, setStep] = useState(first);
  const onAnswer = (answer: SignInResponse) => ('authorization' in answer ? onSignedIn(answer) : setStep(answer));
  const returnOnExpiry = (error: unknown): never => {
    if (error instanceof ApiError && error.code === 'ATTEMPT_GONE') onBack(t('errors.code.ATTEMPT_GONE'));
    throw error;
  };
  if (step.step === 'factor') {
    return (
      <FactorForm
        methods={step.methods}
        question={async () => (await api.session.passkey().catch(returnOnExpiry)).options}
        give={async (factor) => onAnswer(await api.session.giveFactor(factor).catch(returnOnExpiry))}
      />
    );
  }
  return (
    <PlainForm
      key="code"
      title={t('account.signIn.newBrowser')}
      intro={t('account.signIn.newBrowserIntro')}
      fields={{
        code: {
          as: 'code',
          label: 'account.field.code',
          send: (signal) => api.session.sendCode(undefined, { signal }).catch(returnOnExpiry),
        },
      }}
      submitLabel={t('account.signIn.goOn')}
      submit={async ({ code }) => onAnswer(await api.session.giveCode({ code: code ?? '' }).catch(returnOnExpiry))}
    />
  );
}

function ForgotPassword({ email, onBack }: { email: string; onBack: FlowProps['onBack'] }) {
  const [requestedEmail, setRequestedEmail] = useState(email);
  return (
    <PlainForm
      title={t('account.reset.title')}
      intro={t('account.reset.intro')}
      initial={{ email }}
      onChange={({ email: enteredEmail }) => setRequestedEmail(enteredEmail ?? '')}
      fields={{
        email: { as: 'text', label: 'login.email' },
        code: {
          as: 'code',
          label: 'account.field.code',
          send: (signal) => api.session.forgot({ email: requestedEmail }, { signal }),
        },
        password: { as: 'secret', fills: 'new-password', label: 'account.field.password', hint: 'account.field.passwordHint' },
      }}
      submitLabel={t('account.reset.submit')}
      submit={async ({ email: enteredEmail, code, password }) => {
        await api.session.resetPassword({
          email: enteredEmail ?? '',
          code: code ?? '',
          password: password ?? '',
        });
        onBack(t('account.reset.done'));
      }}
    />
  );
}

function FromLink({ onBack }: { onBack: FlowProps['onBack'] }) {
  const [token] = useState(linkToken);
  // Removes the token from the address, so that it stays out of the history. The tab keeps it for a reload.
  useEffect(() => {
    storeLinkToken(token);
    history.replaceState(history.state, '', location.pathname);
    return () => {
      if (location.pathname !== loginPath) storeLinkToken(null);
    };
  }, [token]);
  return (
    <PlainForm
      title={t('account.link.title')}
      intro={t('account.link.intro')}
      fields={{
        password: { as: 'secret', fills: 'new-password', label: 'account.field.password', hint: 'account.field.passwordHint' },
      }}
      submitLabel={t('account.reset.submit')}
      submit={async ({ password }) => {
        await api.session.usePasswordLink({ token, password: password ?? '' });
        onBack(t('account.reset.done'));
      }}
    />
  );
}
