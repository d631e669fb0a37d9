import { useEffect, useRef, useState } from 'react';
import type { FactorMethod, FactorShown } from '../../../api/access/session.ts';
import { errorText } from '../net/errors.ts';
import { t } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { askPasskey, type AuthenticationOptions } from './passkeys.ts';
import { PlainForm } from './plain-form.tsx';

interface FactorFormProps {
  methods: readonly FactorMethod[];
  /** Asks the server for the question to a passkey. */
  question: () => Promise<string>;
  /** Rejects when the factor was not right. */
  give: (shown: FactorShown) => Promise<void>;
}

/** Asks for the second factor: the first way that the person has, and the others one press away. */
export function FactorForm({ methods, question, give }: FactorFormProps) {
  const [method, setMethod] = useState<FactorMethod>(methods[0] ?? 'totp');
  const others = methods.filter((other) => other !== method);
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
      {others.map((other) => (
        <Button key={other} look="ghost" className="self-start" onClick={() => setMethod(other)}>
          {t(`account.factor.use.${other}`)}
        </Button>
      ))}
    </div>
  );
}

function PasskeyButton({ question, give }: Pick<FactorFormProps, 'question' | 'give'>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const asking = useRef<AbortController>(null);
  useEffect(() => () => asking.current?.abort(), []);
  async function ask() {
    asking.current = new AbortController();
    setBusy(true);
    setProblem(null);
    try {
      const answer = await askPasskey(JSON.parse(await question()) as AuthenticationOptions, asking.current.signal);
      await give({ method: 'passkey', value: JSON.stringify(answer) });
    } catch (error) {
      setProblem(isGivenUp(error) ? t('account.factor.passkeyStopped') : errorText(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-section font-semibold">{t('account.factor.title')}</h2>
      <p className="text-body text-2">{t('account.factor.passkeyIntro')}</p>
      <p role="alert" className="text-body text-danger-text empty:hidden">
        {problem}
      </p>
      {/* The one thing to do here. */}
      <Button look="primary" busy={busy} autoFocus onClick={() => void ask()}>
        {t('account.factor.use.passkey')}
      </Button>
      {busy && (
        <Button look="ghost" className="self-start" onClick={() => asking.current?.abort()}>
          {t('device.stop')}
        </Button>
      )}
    </div>
  );
}

/** The browser says so when the person closed its window, or when there is no such passkey here. */
export const isGivenUp = (error: unknown): boolean =>
  error instanceof Error && /^(NotAllowedError|AbortError|InvalidStateError)$/.test(error.name);
