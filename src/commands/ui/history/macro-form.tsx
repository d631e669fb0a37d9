import { useEffect, useEffectEvent, useId, useState, type FormEvent } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { isSecret } from '../../../lib/ui/form/field-view.ts';
import { isMac } from '../../../lib/ui/value/key-text.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { matchesStroke, type KeyStroke } from '../../engine/keys/keys.ts';
import { ariaKeys } from '../controls/command-trigger.tsx';
import { maxNameLength, type Macro, type MacroStep } from '../../macros/macro.ts';
import { $macros, saveMacro } from '../../macros/store.ts';
import { paramFieldsOf } from './words.ts';

interface MacroFormProps {
  macro: Macro;
  onDirty: (isDirty: boolean) => void;
  onCancel: () => void;
  onSaved: () => void;
}

export function MacroForm({ macro, onDirty, onCancel, onSaved }: MacroFormProps) {
  const [name, setName] = useState(macro.name);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();

  const isDirty = name !== macro.name;
  const notifyDirty = useEffectEvent(onDirty);
  useEffect(() => {
    notifyDirty(isDirty);
    return () => notifyDirty(false);
  }, [isDirty]);

  const save = (event: FormEvent) => {
    event.preventDefault();
    const trimmedName = name.trim().slice(0, maxNameLength);
    if (trimmedName === '') return setProblem(t('history.macro.needsName'));
    if ($macros.get().some((candidate) => candidate.name === trimmedName && candidate.id !== macro.id))
      return setProblem(t('history.macro.named'));
    if (!saveMacro({ ...macro, name: trimmedName, steps: macro.steps.map(withSecretsAsked) }))
      return setProblem(t('history.macro.unkept'));
    onSaved();
  };

  return (
    <form
      onSubmit={save}
      onKeyDown={(event) => {
        if (!matchesStroke(event.nativeEvent, submitStroke, isMac())) return;
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
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem ? `${id}-wrong` : undefined}
          onChange={(event) => {
            setProblem(null);
            setName(event.target.value);
          }}
          className="h-control w-full rounded-control border border-control bg-surface px-2 aria-invalid:border-danger-text"
        />
        {problem && (
          <p id={`${id}-wrong`} role="alert" className="pt-1 text-danger-text">
            {problem}
          </p>
        )}
      </div>
      <ol className="flex flex-col gap-3">
        {macro.steps.map(({ command }, index) => (
          <li key={index} data-step={command} className="flex gap-2">
            <span className="text-meta text-2">{t('history.macro.step', { n: index + 1 })}</span>
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
function withSecretsAsked(step: MacroStep): MacroStep {
  const secrets = Object.entries(paramFieldsOf(step.command)).flatMap(([name, field]) => (isSecret(field) ? [name] : []));
  return { ...step, asks: [...new Set([...step.asks, ...secrets])] };
}
