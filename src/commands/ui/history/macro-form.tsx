import { useEffect, useEffectEvent, useId, useState, type FormEvent } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { isSecret } from '../../../lib/ui/form/field-view.ts';
import { isMac } from '../../../lib/ui/value/key-text.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { isStroke, type KeyStroke } from '../../engine/keys/keys.ts';
import { ariaKeys } from '../controls/command-trigger.tsx';
import { maxNameLength, type Macro, type MacroStep } from '../../macros/macro.ts';
import { $macros, saveMacro } from '../../macros/store.ts';
import { paramFieldsOf } from './words.ts';

interface MacroFormProps {
  macro: Macro;
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  onSaved: () => void;
}

export function MacroForm({ macro, onDirty, onCancel, onSaved }: MacroFormProps) {
  const [name, setName] = useState(macro.name);
  const [wrong, setWrong] = useState<string | null>(null);
  const id = useId();

  const dirty = name !== macro.name;
  const tell = useEffectEvent(onDirty);
  useEffect(() => {
    tell(dirty);
    return () => tell(false);
  }, [dirty]);

  const save = (event: FormEvent) => {
    event.preventDefault();
    const typed = name.trim().slice(0, maxNameLength);
    if (typed === '') return setWrong(t('history.macro.needsName'));
    if ($macros.get().some((other) => other.name === typed && other.id !== macro.id)) return setWrong(t('history.macro.named'));
    if (!saveMacro({ ...macro, name: typed, steps: macro.steps.map(askingSecrets) })) return setWrong(t('history.macro.unkept'));
    onSaved();
  };

  return (
    <form
      onSubmit={save}
      onKeyDown={(event) => {
        if (!isStroke(event.nativeEvent, submitStroke, isMac())) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
      className="flex flex-col gap-4 pb-3"
    >
      <div>
        <label htmlFor={id} className="block pb-1 text-meta text-2">
          {t('history.macro.name')}
        </label>
        <input
          id={id}
          data-autofocus
          value={name}
          maxLength={maxNameLength}
          autoComplete="off"
          aria-invalid={wrong !== null || undefined}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          onChange={(event) => {
            setWrong(null);
            setName(event.target.value);
          }}
          className="h-control w-full rounded-control border border-control bg-surface px-2 aria-invalid:border-danger-text"
        />
        {wrong && (
          <p id={`${id}-wrong`} role="alert" className="pt-1 text-danger-text">
            {wrong}
          </p>
        )}
      </div>
      <ol className="flex flex-col gap-3">
        {macro.steps.map(({ command }, at) => (
          <li key={at} data-step={command} className="flex gap-2">
            <span className="text-meta text-2">{t('history.macro.step', { n: at + 1 })}</span>
            <strong className="min-w-0 truncate font-medium">{bilingualName(command as CommandId)}</strong>
          </li>
        ))}
      </ol>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
        <Button type="submit" look="primary" keys="mod+enter" aria-keyshortcuts={ariaKeys('mod+enter')}>
          {t('history.macro.save')}
        </Button>
      </div>
    </form>
  );
}

const submitStroke: KeyStroke = { mod: true, ctrl: false, alt: false, shift: false, key: 'enter' };

/** Secrets are never stored, so each run asks for them. */
function askingSecrets(step: MacroStep): MacroStep {
  const secrets = Object.entries(paramFieldsOf(step.command)).flatMap(([name, field]) => (isSecret(field) ? [name] : []));
  return { ...step, asks: [...new Set([...step.asks, ...secrets])] };
}
