import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { encode } from 'uqr';
import type { ProofMethod, ProofShown } from '../../../../api/access/session.ts';
import { refreshAccess } from '../../../lib/session/access.ts';
import { apiFor, ApiError } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { refreshResources } from '../../../lib/net/query.ts';
import { forgetUnlessAccepted, createPasskeyCredential, type RegistrationOptions } from '../../../lib/session/passkeys.ts';
import { FactorForm, isUserAbort } from '../../../lib/session/factor-form.tsx';
import { PlainForm } from '../../../lib/session/plain-form.tsx';
import { showToast } from '../../../lib/ui/overlay/toasts-store.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';
import { $factorAsk, $factorDialog } from '../../app/open-dialogs.ts';
import { BindWallet } from './bind-wallet.tsx';
import { withFreshFactor } from './fresh-factor.ts';
import { NewToken } from './new-token.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

export function FactorDialogs() {
  const open = useStore($factorDialog);
  const ask = useStore($factorAsk);
  const close = () => $factorDialog.set(null);
  return (
    <>
      {open?.kind === 'totp' && <AddTotp onClose={close} />}
      {open?.kind === 'passkey' && <AddPasskey onClose={close} />}
      {open?.kind === 'wallet' && <BindWallet onClose={close} />}
      {open?.kind === 'codes' && <RecoveryCodes codes={open.codes} onClose={close} />}
      {open?.kind === 'token' && <NewToken token={open.token} onClose={close} />}
      {ask && <Confirm answer={ask.answer} />}
    </>
  );
}

async function added(kind: 'addTotp' | 'addPasskey', codes: readonly string[] | null): Promise<void> {
  $factorDialog.set(codes ? { kind: 'codes', codes } : null);
  showToast({ kind: 'success', text: t('common.happened', { what: t(`happened.account.${kind}`) }) });
  await Promise.all([refreshResources(['account']), refreshAccess().catch(() => {})]);
}

function AddTotp({ onClose }: { onClose: () => void }) {
  const [totp, setTotp] = useState<{ secret: string; uri: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    withFreshFactor(() => apiFor('account.addTotp', null).account.startTotp()).then(
      (started) => isCurrent && setTotp(started),
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
            fields={{ code: { as: 'code', label: 'account.field.totp' } }}
            submitLabel={bilingualName('account.addTotp')}
            submit={async ({ code }) => {
              const api = apiFor('account.addTotp', crypto.randomUUID());
              const { recoveryCodes } = await withFreshFactor(() => api.account.addTotp({ code: code ?? '' }));
              await added('addTotp', recoveryCodes);
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
  const making = useRef<AbortController>(null);
  useEffect(() => () => making.current?.abort(), []);
  return (
    <Dialog open onClose={onClose} title={t('account.passkey.add')} description={t('account.passkey.intro')} size="small">
      <div className="pb-3">
        <PlainForm
          fields={{ name: { as: 'text', label: 'account.field.passkeyName' } }}
          submitLabel={bilingualName('account.addPasskey')}
          submit={async ({ name }) => {
            const api = apiFor('account.addPasskey', null);
            const { options } = await withFreshFactor(() => api.account.startPasskey());
            const requested: RegistrationOptions = JSON.parse(options);
            making.current = new AbortController();
            const made = await createPasskeyCredential(requested, making.current.signal).catch((error: unknown) => {
              throw isUserAbort(error) ? new ApiError('FACTOR_WRONG') : error;
            });
            const adding = withFreshFactor(() => api.account.addPasskey({ name: name ?? '', response: JSON.stringify(made) }));
            const { recoveryCodes } = await forgetUnlessAccepted(requested.rp.id, made.id, adding);
            await added('addPasskey', recoveryCodes);
          }}
        />
      </div>
    </Dialog>
  );
}

function Confirm({ answer }: { answer: (shown: boolean) => void }) {
  const [ways, setWays] = useState<readonly ProofMethod[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [api] = useState(() => apiFor(null, null));
  const give = async (shown: ProofShown) => {
    await api.account.confirmFactor(shown);
    answer(true);
  };
  useEffect(() => {
    let isCurrent = true;
    api.account.factor().then(
      ({ methods }) => isCurrent && setWays(methods),
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
        {ways &&
          (ways.includes('signIn') ? (
            <p className="text-body">{t('account.factor.signInAgain')}</p>
          ) : ways.includes('password') ? (
            <PlainForm
              intro={t('account.factor.passwordIntro')}
              fields={{ value: { as: 'secret', fills: 'current-password', label: 'account.field.current' } }}
              submitLabel={t('account.signIn.goOn')}
              submit={({ value }) => give({ method: 'password', value: value ?? '' })}
            />
          ) : (
            <FactorForm
              methods={ways.filter((way) => way !== 'password' && way !== 'signIn')}
              question={async () => (await api.account.factor()).options ?? '{}'}
              give={give}
            />
          ))}
      </div>
    </Dialog>
  );
}
