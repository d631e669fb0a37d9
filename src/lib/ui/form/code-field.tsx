import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../net/client.ts';
import { errorText } from '../../net/errors.ts';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { lineClass } from './line-class.ts';
import { fieldAttributes } from './field-attributes.tsx';
import type { ControlProps } from './field-view.ts';

interface CodeFieldProps extends ControlProps<string> {
  /** Sends a code by email. Resolves to the seconds until the next one is allowed. */
  send: ((signal: AbortSignal) => Promise<{ wait: number }>) | undefined;
}

export function CodeField({ send, ...props }: CodeFieldProps) {
  const input = (
    <input
      {...fieldAttributes(props)}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={12}
      dir="ltr"
      placeholder={t('form.codeEnter')}
      className={`${lineClass} ${send ? 'min-w-64 flex-1' : ''} tabular-nums`} // beside its button it fits the placeholder
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
    />
  );
  return send ? <SendCode send={send} input={input} focus={() => document.getElementById(props.id)?.focus()} /> : input;
}

function SendCode({
  send,
  input,
  focus,
}: {
  send: NonNullable<CodeFieldProps['send']>;
  input: React.ReactNode;
  focus: () => void;
}) {
  const [waitUntil, setWaitUntil] = useState(0);
  const secondsLeft = useWaitSeconds(waitUntil);
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle');
  const [problem, setProblem] = useState<string | null>(null);
  const abortController = useRef<AbortController | null>(null);
  useEffect(() => () => abortController.current?.abort(), []);

  async function requestCode() {
    if (state === 'busy' || secondsLeft > 0) return;
    abortController.current = new AbortController();
    setState('busy');
    setProblem(null);
    try {
      const { wait } = await send(abortController.current.signal);
      setWaitUntil(Date.now() + wait * 1000);
      setState('sent');
      focus();
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      setState('idle');
      setProblem(errorText(error));
      const retryAfter = error instanceof ApiError ? error.retryAfter : null;
      if (retryAfter !== null) setWaitUntil(Date.now() + retryAfter * 1000);
    }
  }
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {input}
        <Button
          aria-disabled={secondsLeft > 0 || undefined}
          busy={state === 'busy'}
          onClick={() => void requestCode()}
          data-code-send=""
        >
          {secondsLeft > 0 ? t('form.codeAgain', { n: secondsLeft }) : t('form.codeGet')}
        </Button>
      </div>
      <p role="status" className="text-meta text-2 empty:hidden">
        {state === 'sent' && t('common.sent')}
      </p>
      <p role="alert" className="text-meta text-danger-text empty:hidden">
        {problem}
      </p>
    </>
  );
}

/** Updates every second. */
export function useWaitSeconds(waitUntil: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (waitUntil <= Date.now()) return;
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= waitUntil) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [waitUntil]);
  return Math.max(0, Math.ceil((waitUntil - now) / 1000));
}
