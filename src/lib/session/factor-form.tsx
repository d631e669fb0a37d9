import { useEffect, useRef, useState } from 'react';
import type { FactorMethod, FactorProof } from '../../../api/access/session.ts';
import { errorText } from '../net/errors.ts';
import { t } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { requestPasskey, type AuthenticationOptions } from './passkeys.ts';
import { PlainForm } from './plain-form.tsx';

interface FactorFormProps {
  methods: readonly FactorMethod[];
  /** Loads the passkey challenge. */
  question: () => Promise<string>;
  /** Rejects if the factor is wrong. */
  give: (factor: FactorProof) => Promise<void>;
}

/** Shows the person's first method, with a link to the others. */
export function FactorForm({ methods, question, give }: FactorFormProps) {
  const [method, setMethod] = useState<FactorMethod>(methods[0] ?? 'totp');
  const otherMethods = methods.filter((otherMethod) => otherMethod !== method);
  return (
    <div className="flex flex-col gap-4" data-factor={method}>
      {method === 'passkey' ? (
        <PasskeyButton question={question} give={give} />
      ) : (
        <PlainForm
          key={method}
          title={t('account.factor.title')}
          intro={t(method === 'totp' ? 'account.factor.totpIntro' : 'account.factor.recoveryIntro')}
          fields={
            method === 'totp'
              ? { value: { as: 'code', label: 'account.field.totp' } }
              : { value: { as: 'text', label: 'account.field.recovery' } }
          }
          submitLabel={t('account.signIn.goOn')}
          submit={({ value }) => give({ method, value: value ?? '' })}
        />
      )}
      {otherMethods.map((otherMethod) => (
        <Button key={otherMethod} look="ghost" className="self-start" onClick={() => setMethod(otherMethod)}>
          {t(`account.factor.use.${otherMethod}`)}
        </Button>
      ))}
    </div>
  );
}

function PasskeyButton({ question, give }: Pick<FactorFormProps, 'question' | 'give'>) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const passkeyRequest = useRef<AbortController>(null);
  useEffect(() => () => passkeyRequest.current?.abort(), []);
  async function requestAssertion() {
    passkeyRequest.current = new AbortController();
    setIsBusy(true);
    setProblem(null);
    try {
      const assertion = await requestPasskey(
        JSON.parse(await question()) as AuthenticationOptions,
        passkeyRequest.current.signal,
      );
      await give({ method: 'passkey', value: JSON.stringify(assertion) });
    } catch (error) {
      setProblem(isUserAbort(error) ? t('account.factor.passkeyStopped') : errorText(error));
    } finally {
      setIsBusy(false);
    }
  }
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-section font-semibold">{t('account.factor.title')}</h2>
      <p className="text-body text-2">{t('account.factor.passkeyIntro')}</p>
      <p role="alert" className="text-body text-danger-text empty:hidden">
        {problem}
      </p>
      <Button look="primary" busy={isBusy} autoFocus onClick={() => void requestAssertion()}>
        {t('account.factor.use.passkey')}
      </Button>
      {isBusy && (
        <Button look="ghost" className="self-start" onClick={() => passkeyRequest.current?.abort()}>
          {t('device.stop')}
        </Button>
      )}
    </div>
  );
}

/** The person closed the browser's dialog, or this device has no such passkey. */
export const isUserAbort = (error: unknown): boolean =>
  error instanceof Error && /^(NotAllowedError|AbortError|InvalidStateError)$/.test(error.name);
