import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import {
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
} from 'react';
import { t } from '../../../lib/i18n/i18n.ts';
import { createChunk } from '../../../lib/chunks/loader.ts';
import { readTabStored, writeTabStored } from '../../../lib/prefs/storage.ts';
import { signInEmailKey } from '../../../lib/session/return-to.ts';
import type { SignInStep } from '../../../lib/session/sign-in-flow.tsx';
import { setAccess } from '../../../lib/session/session.ts';
import { buttonClass } from '../../../lib/ui/button-class.ts';
import { emptyFieldsOf, signInFailureOf, type EmptyFields, type SignInFailure } from './failure.ts';

const client = createChunk(() => import('../../../lib/net/client.ts'));

interface SignInFormProps {
  /** False if the browser cannot keep a session, after showing why. */
  mayGoOn: () => boolean;
  onStep: (step: SignInStep) => void;
  onForgot: (email: string) => void;
}

/** Uncontrolled fields, for password managers and reloads. */
export function SignInForm({ mayGoOn, onStep, onForgot }: SignInFormProps) {
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isSubmitting = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [storedEmail] = useState(() => readStoredSignIn(signInEmailKey));
  const [emptyFields, setEmptyFields] = useState<EmptyFields>({ email: false, password: false });
  const [failure, setFailure] = useState<SignInFailure | null>(null);

  useEffect(() => {
    const preloadTimer = window.setTimeout(() => void client.load().catch(() => {}), 300);
    return () => clearTimeout(preloadTimer);
  }, []);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSubmitting.current) return;
    const credentials = { email: email.current?.value.trim() ?? '', password: password.current?.value ?? '' };
    const missingFields = emptyFieldsOf(credentials);
    setEmptyFields(missingFields);
    setFailure(null);
    if (missingFields.email) return email.current?.focus();
    if (missingFields.password) return password.current?.focus();
    if (!mayGoOn()) return;
    isSubmitting.current = true;
    setBusy(true);
    // Keys pressed from now on are for the panel, so they must not land in the password.
    button.current?.focus();
    window.earlyKeys?.take(); // from an earlier attempt
    window.earlyKeys?.keep();
    try {
      const { api } = await client.load();
      const response = await api.session.signIn(credentials);
      storeDraft('');
      if ('step' in response) {
        window.earlyKeys?.take();
        return onStep(response);
      }
      const { authorization, access } = response;
      setAccess(access, authorization); // navigates by the session change
    } catch (error) {
      window.earlyKeys?.take();
      setFailure(signInFailureOf(error));
      password.current?.select();
      password.current?.focus();
    } finally {
      isSubmitting.current = false;
      setBusy(false);
    }
  };

  return (
    <form noValidate className="mt-6 flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <div role="alert" className="empty:-mb-4">
        {failure && (
          <p className="flex gap-2 rounded-control bg-bad-bg px-3 py-2 text-body text-bad-text">
            <CircleAlert size={16} aria-hidden="true" className="mt-0.5 text-bad-icon" />
            <span>
              {failure.text}
              {failure.requestId && (
                <span className="block font-mono text-meta break-all">{t('errors.requestId', { id: failure.requestId })}</span>
              )}
            </span>
          </p>
        )}
      </div>
      <Field label={t('login.email')} error={emptyFields.email && t('login.emailEmpty')}>
        {(field) => (
          <input
            {...field}
            ref={email}
            name="email"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={storedEmail === ''}
            defaultValue={storedEmail}
            onInput={(event) => {
              storeDraft(event.currentTarget.value);
              setEmptyFields((previousFields) => ({ ...previousFields, email: false }));
            }}
          />
        )}
      </Field>
      <PasswordField
        ref={password}
        hasFocus={storedEmail !== ''}
        error={emptyFields.password && t('login.passwordBlank')}
        onInput={() => setEmptyFields((previousFields) => ({ ...previousFields, password: false }))}
      />
      {/* Stays focusable while busy, so that the focus is not lost. */}
      <button
        ref={button}
        type="submit"
        aria-busy={isBusy || undefined}
        aria-disabled={isBusy || undefined}
        className={buttonClass('primary', 'mt-1 w-full px-2.5', 'h-9 pointer-coarse:h-11')}
      >
        {t(isBusy ? 'login.submitting' : 'login.submit')}
      </button>
      <button
        type="button"
        className={buttonClass('ghost', 'self-start px-2 text-2')}
        onClick={() => onForgot(email.current?.value.trim() ?? '')}
      >
        {t('login.forgot')}
      </button>
    </form>
  );
}

function PasswordField({
  ref,
  hasFocus,
  error,
  onInput,
}: {
  ref: React.Ref<HTMLInputElement>;
  hasFocus: boolean;
  error: string | false;
  onInput: () => void;
}) {
  const [isShown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <Field label={t('login.password')} error={error} hint={capsLock && t('login.capsLock')}>
      {(field) => (
        <div className="relative">
          <input
            {...field}
            ref={ref}
            name="password"
            type={isShown ? 'text' : 'password'}
            autoComplete="current-password"
            autoFocus={hasFocus}
            autoCapitalize="none"
            spellCheck={false}
            className={`${field.className} pe-9 pointer-coarse:pe-12`}
            onInput={onInput}
            onKeyDown={watchCapsLock}
            onKeyUp={watchCapsLock}
            onBlur={() => setCapsLock(false)}
          />
          <button
            type="button"
            aria-label={t(isShown ? 'login.hidePassword' : 'login.showPassword')}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-1 end-1 flex w-7 items-center justify-center rounded-chip text-2 hover:text-1 pointer-coarse:inset-y-0 pointer-coarse:end-0 pointer-coarse:w-11"
          >
            {isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
          </button>
        </div>
      )}
    </Field>
  );
}

type Control = Pick<ComponentProps<'input'>, 'id' | 'className' | 'aria-invalid' | 'aria-describedby' | 'aria-required'>;

function Field({
  label,
  error,
  hint,
  children,
}: {
  label: string;
  error: string | false;
  hint?: string | false;
  children: (field: Control) => ReactNode;
}) {
  const id = useId();
  const descriptionIds = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-body font-medium">
        {label}
      </label>
      {children({
        id,
        className: `h-9 w-full rounded-control border bg-surface px-2.5 text-label pointer-coarse:h-11 ${error ? 'border-danger-text' : 'border-control'}`,
        'aria-required': true,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': descriptionIds || undefined,
      })}
      {error && (
        <p id={`${id}-error`} className="flex items-center gap-1.5 text-meta text-danger-text">
          <CircleAlert size={14} aria-hidden="true" />
          {error}
        </p>
      )}
      <p id={`${id}-hint`} role="status" className="flex items-center gap-1.5 text-meta text-2 empty:hidden">
        {hint && <TriangleAlert size={14} aria-hidden="true" />}
        {hint}
      </p>
    </div>
  );
}

/** Changing the language reloads the page, so keep the email. Never the password. */
function storeDraft(email: string): void {
  writeTabStored(signInEmailKey, email);
}

/** Kept by this tab over a reload. Empty if missing. */
export const readStoredSignIn = (key: string): string => readTabStored(key) ?? '';
