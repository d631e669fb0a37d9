import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { encode } from 'uqr';
import type { ProofMethod, IdentityProof } from '../../../../api/access/session.ts';
import { refreshAccess } from '../../../lib/session/access.ts';
import { createApi, ApiError } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { queryClient, refreshResources } from '../../../lib/net/query.ts';
import { forgetUnlessAccepted, createPasskeyCredential, type RegistrationOptions } from '../../../lib/session/passkeys.ts';
import { ProviderLink } from '../../../lib/session/provider-link.tsx';
import { proofChannel, proofStartHash, readSsoWay } from '../../../lib/session/sso-way.ts';
import { FactorForm, isUserAbort } from '../../../lib/session/factor-form.tsx';
import { PlainForm } from '../../../lib/session/plain-form.tsx';
import { showToast } from '../../../lib/ui/overlay/toasts-store.ts';
import type { FieldViews } from '../../../lib/ui/form/field-view.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';
import { $factorAsk, $factorDialog } from '../../app/open-dialogs.ts';
import { BindWallet } from './bind-wallet.tsx';
import { CliCode } from './cli-code.tsx';
import { withFreshFactor } from './fresh-factor.ts';
import { NewEnrollmentCode } from './new-enrollment-code.tsx';
import { NewToken } from './new-token.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

export function FactorDialogs() {
  const openDialog = useStore($factorDialog);
  const proofRequest = useStore($factorAsk);
  const close = () => $factorDialog.set(null);
  return (
    <>
      {openDialog?.kind === 'totp' && <AddTotp onClose={close} />}
      {openDialog?.kind === 'passkey' && <AddPasskey onClose={close} />}
      {openDialog?.kind === 'enrollmentCode' && <NewEnrollmentCode {...openDialog} onClose={close} />}
      {openDialog?.kind === 'wallet' && <BindWallet onClose={close} />}
      {openDialog?.kind === 'codes' && <RecoveryCodes codes={openDialog.codes} onClose={close} />}
      {openDialog?.kind === 'token' && <NewToken token={openDialog.token} onClose={close} />}
      {openDialog?.kind === 'cliCode' && <CliCode code={openDialog.code} address={openDialog.address} onClose={close} />}
      {proofRequest && <ConfirmFactorDialog answer={proofRequest.answer} />}
    </>
  );
}

async function onFactorAdded(kind: 'addTotp' | 'addPasskey', codes: readonly string[] | null): Promise<void> {
  $factorDialog.set(codes ? { kind: 'codes', codes } : null);
  showToast({ kind: 'success', text: t('common.happened', { what: t(`happened.account.${kind}`) }) });
  await Promise.all([refreshResources(['account']), refreshAccess().catch(() => {})]);
}

/** Asked for only while the account's first factor needs a colleague's code. */
function useEnrollmentCodeField(): FieldViews {
  const { data } = useQuery(
    { queryKey: ['account'], queryFn: ({ signal }) => createApi(null, null).account.get(undefined, { signal }) },
    queryClient,
  );
  return data?.factorGap
    ? {
        enrollmentCode: {
          as: 'text',
          label: 'account.field.enrollmentCode',
          hint: 'account.field.enrollmentCodeLater',
          optional: true,
        },
      }
    : {};
}

const codeInput = (enrollmentCode: string | undefined) => (enrollmentCode?.trim() ? { enrollmentCode } : {});

function AddTotp({ onClose }: { onClose: () => void }) {
  const [totp, setTotp] = useState<{ secret: string; uri: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const codeField = useEnrollmentCodeField();
  useEffect(() => {
    let isCurrent = true;
    withFreshFactor(() => createApi('account.addTotp', null).account.startTotp()).then(
      (enrollment) => isCurrent && setTotp(enrollment),
      (error: unknown) => isCurrent && setProblem(errorText(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return (
    <Dialog open onClose={onClose} title={t('account.totp.title')} description={t('account.totp.scan')} size="small">
      {problem && (
        <p role="alert" className="text-body text-danger-text">
          {problem}
        </p>
      )}
      {totp && (
        <div className="flex flex-col gap-4 pb-3">
          <QrCode text={totp.uri} />
          <dl className="text-body">
            <dt className="text-2">{t('account.totp.secret')}</dt>
            <dd className="font-mono break-all select-all" data-totp-secret="">
              {totp.secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </dd>
          </dl>
          <PlainForm
            fields={{ code: { as: 'code', label: 'account.field.totp' }, ...codeField }}
            submitLabel={bilingualName('account.addTotp')}
            submit={async ({ code, enrollmentCode }) => {
              const api = createApi('account.addTotp', crypto.randomUUID());
              const { recoveryCodes } = await withFreshFactor(() =>
                api.account.addTotp({ code: code ?? '', ...codeInput(enrollmentCode) }),
              );
              await onFactorAdded('addTotp', recoveryCodes);
            }}
          />
        </div>
      )}
    </Dialog>
  );
}

/**
 * Drawn locally, because the secret must not reach an image service. Black on white in every theme,
 * for cameras.
 */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      height={208}
      role="img"
      aria-label={t('account.totp.qr')}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const creation = useRef<AbortController>(null);
  const codeField = useEnrollmentCodeField();
  useEffect(() => () => creation.current?.abort(), []);
  return (
    <Dialog open onClose={onClose} title={t('account.passkey.add')} description={t('account.passkey.intro')} size="small">
      <div className="pb-3">
        <PlainForm
          fields={{ name: { as: 'text', label: 'account.field.passkeyName' }, ...codeField }}
          submitLabel={bilingualName('account.addPasskey')}
          submit={async ({ name, enrollmentCode }) => {
            const api = createApi('account.addPasskey', null);
            const { options } = await withFreshFactor(() => api.account.startPasskey());
            const creationOptions: RegistrationOptions = JSON.parse(options);
            creation.current = new AbortController();
            const credential = await createPasskeyCredential(creationOptions, creation.current.signal).catch((error: unknown) => {
              throw isUserAbort(error) ? new ApiError('FACTOR_WRONG') : error;
            });
            const registration = withFreshFactor(() =>
              api.account.addPasskey({ name: name ?? '', response: JSON.stringify(credential), ...codeInput(enrollmentCode) }),
            );
            const { recoveryCodes } = await forgetUnlessAccepted(creationOptions.rp.id, credential.id, registration);
            await onFactorAdded('addPasskey', recoveryCodes);
          }}
        />
      </div>
    </Dialog>
  );
}

function ConfirmFactorDialog({ answer }: { answer: (isConfirmed: boolean) => void }) {
  const [proofMethods, setProofMethods] = useState<readonly ProofMethod[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [api] = useState(() => createApi(null, null));
  const [ssoWay] = useState(readSsoWay);
  const submitProof = async (proof: IdentityProof) => {
    await api.account.confirmFactor(proof);
    answer(true);
  };
  useEffect(() => {
    let isCurrent = true;
    api.account.factor().then(
      ({ methods }) => isCurrent && setProofMethods(methods),
      (error: unknown) => isCurrent && setProblem(errorText(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [api]);
  return (
    <Dialog open onClose={() => answer(false)} title={t('account.factor.again')} size="small">
      <div className="pb-3" data-factor-again="">
        {problem && (
          <p role="alert" className="text-body text-danger-text">
            {problem} <Button onClick={() => answer(false)}>{t('common.cancel')}</Button>
          </p>
        )}
        {proofMethods &&
          (ssoWay && proofMethods.includes('sso') ? (
            <ProveAtProvider name={ssoWay.name} onProven={() => answer(true)} />
          ) : proofMethods.includes('signIn') || proofMethods.includes('sso') ? (
            <p className="text-body">{t('account.factor.signInAgain')}</p>
          ) : proofMethods.includes('password') ? (
            <PlainForm
              intro={t('account.factor.passwordIntro')}
              fields={{ value: { as: 'secret', fills: 'current-password', label: 'account.field.current' } }}
              submitLabel={t('account.signIn.goOn')}
              submit={({ value }) => submitProof({ method: 'password', value: value ?? '' })}
            />
          ) : (
            <FactorForm
              methods={proofMethods.filter((method) => method !== 'password' && method !== 'signIn' && method !== 'sso')}
              question={async () => (await api.account.factor()).options ?? '{}'}
              give={submitProof}
            />
          ))}
      </div>
    </Dialog>
  );
}

function ProveAtProvider({ name, onProven }: { name: string; onProven: () => void }) {
  const [isOpened, setOpened] = useState(false);
  useEffect(() => {
    const channel = new BroadcastChannel(proofChannel);
    // A page without the focus cannot ask for a passkey next.
    channel.onmessage = () => (document.hasFocus() ? onProven() : addEventListener('focus', onProven, { once: true }));
    return () => {
      channel.close();
      removeEventListener('focus', onProven);
    };
  }, []); // oxlint-disable-line react-hooks/exhaustive-deps -- one channel per question
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body">{t('account.factor.ssoIntro', { name })}</p>
      <ProviderLink name={name} start={proofStartHash} onClick={() => setOpened(true)} />
      <p role="status" className="text-body text-2">
        {isOpened && t('account.factor.ssoWaiting', { name })}
      </p>
    </div>
  );
}
