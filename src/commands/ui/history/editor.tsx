import { useStore } from '@nanostores/react';
import { useEffect, useEffectEvent, useId, useState, type FormEvent } from 'react';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import X from 'lucide-react/icons/x';
import type { CommandId } from '../../../../api/names.ts';
import { valueText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { listed } from '../../../lib/i18n/punctuation.ts';
import { nameOf } from '../../../lib/i18n/name-of.ts';
import { $expert } from '../../../lib/prefs/prefs.ts';
import { isMac } from '../../../lib/ui/value/key-text.ts';
import { Button, IconButton } from '../../../lib/ui/button.tsx';
import { registry } from '../../app/registry.ts';
import { isStroke, type Stroke } from '../../engine/keys/keys.ts';
import { ariaKeys } from '../controls/run.tsx';
import { valueWords } from '../ask/value-words.ts';
import { isSecret } from '../../../lib/ui/form/field-view.ts';
import { arrange, longestName, type Macro, type MacroStep, type StepTargets } from '../../workspace/macro.ts';
import { $macros, saveMacro } from '../../workspace/macros.ts';
import { fieldsOf } from './words.ts';

interface MacroEditorProps {
  macro: Macro;
  /** Told whether it is another than was opened. */
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  /** It is saved. */
  onDone: () => void;
}

/** A macro being put together: its name and its steps; for experts also their order, what each runs on and which values are asked for. */
export function MacroEditor({ macro, onDirty, onCancel, onDone }: MacroEditorProps) {
  const [name, setName] = useState(macro.name);
  const [first] = useState<readonly Draft[]>(() => macro.steps.map(draftOf));
  const [steps, setSteps] = useState(first);
  const [wrong, setWrong] = useState<string | null>(null);
  const id = useId();

  const dirty = name !== macro.name || JSON.stringify(steps) !== JSON.stringify(first);
  const tell = useEffectEvent(onDirty);
  useEffect(() => {
    tell(dirty);
    return () => tell(false);
  }, [dirty]);

  const put = (at: number, change: Partial<MacroStep>) =>
    setSteps((before) => before.map((step, index) => (index === at ? { ...step, ...change } : step)));

  const save = (event: FormEvent) => {
    event.preventDefault();
    const typed = name.trim().slice(0, longestName);
    if (typed === '') return setWrong(t('history.macro.needsName'));
    if ($macros.get().some((other) => other.name === typed && other.id !== macro.id)) return setWrong(t('history.macro.named'));
    if (!saveMacro({ ...macro, name: typed, steps })) return setWrong(t('history.macro.unkept'));
    onDone();
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
          maxLength={longestName}
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
        {steps.map((step, at) => (
          <Step
            key={step.key}
            step={step}
            at={at}
            steps={steps}
            onChange={(change) => put(at, change)}
            onMove={(to) => setSteps(arrange(steps, at, to))}
          />
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

const submitStroke: Stroke = { mod: true, ctrl: false, alt: false, shift: false, key: 'enter' };

/** A step as it is being changed, and as it was when the editor opened: what somebody may go back to. */
interface Draft extends MacroStep {
  key: number;
  first: MacroStep;
}

function draftOf(step: MacroStep, key: number): Draft {
  const unsaid = unsaidOf(step.command).filter((name) => !step.asks.includes(name));
  return { ...step, asks: [...step.asks, ...unsaid], key, first: step };
}

/** What is never kept is asked for each time. */
const unsaidOf = (command: string): string[] =>
  Object.entries(fieldsOf(command)).flatMap(([name, field]) => (isSecret(field) ? [name] : []));

interface StepProps {
  step: Draft;
  at: number;
  steps: readonly Draft[];
  onChange: (change: Partial<MacroStep>) => void;
  onMove: (to: number | null) => void;
}

function Step({ step, at, steps, onChange, onMove }: StepProps) {
  const name = nameOf(step.command as CommandId);
  const fields = Object.entries(fieldsOf(step.command));
  const { first } = step;
  if (!useStore($expert))
    return (
      <li data-step={step.command} className="flex gap-2">
        <span className="text-meta text-2">{t('history.macro.step', { n: at + 1 })}</span>
        <strong className="min-w-0 truncate font-medium">{name}</strong>
      </li>
    );
  return (
    <li data-step={step.command} className="rounded-card border border-hairline px-3 py-2">
      <div className="flex items-center gap-1">
        <span className="text-meta text-2">{t('history.macro.step', { n: at + 1 })}</span>
        <strong className="min-w-0 grow truncate px-1 font-medium">{name}</strong>
        <IconButton
          label={t('history.macro.up', { name })}
          icon={<ArrowUp size={16} aria-hidden="true" />}
          aria-disabled={at === 0 || undefined}
          onClick={() => at > 0 && onMove(at - 1)}
        />
        <IconButton
          label={t('history.macro.down', { name })}
          icon={<ArrowDown size={16} aria-hidden="true" />}
          aria-disabled={at === steps.length - 1 || undefined}
          onClick={() => at < steps.length - 1 && onMove(at + 1)}
        />
        <IconButton
          label={t('history.macro.remove', { name })}
          icon={<X size={16} aria-hidden="true" />}
          aria-disabled={steps.length === 1 || undefined}
          onClick={() => steps.length > 1 && onMove(null)}
        />
      </div>
      {step.on.from !== 'none' && <On step={step} at={at} steps={steps} onChange={onChange} />}
      {fields.length > 0 && (
        <dl className="mt-1">
          {fields.map(([key, field]) => (
            <div key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-hairline py-1">
              <dt className="w-full shrink-0 text-meta text-2 sm:w-28">{t(field.label)}</dt>
              <dd className="min-w-32 flex-1 truncate" title={valueText(step.params[key])} dir="auto">
                {key in step.params ? valueWords(field, step.params[key]) : t('history.macro.unsaid')}
              </dd>
              <select
                aria-label={t('history.macro.how', { label: t(field.label) })}
                value={step.asks.includes(key) ? 'ask' : key in step.params ? 'keep' : 'own'}
                onChange={({ target }) => onChange(howOf(step, key, target.value))}
                className="h-control rounded-control border border-control bg-surface px-1"
              >
                {key in first.params && <option value="keep">{t('history.macro.keep')}</option>}
                <option value="ask">{t('history.macro.ask')}</option>
                {!isSecret(field) && <option value="own">{t('history.macro.own')}</option>}
              </select>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** The step with one value kept, asked for, or left as its record or its form has it. */
function howOf(step: Draft, key: string, how: string): Partial<MacroStep> {
  const asks = step.asks.filter((name) => name !== key);
  const { [key]: _, ...others } = step.params;
  const said = key in step.first.params ? { [key]: step.first.params[key] } : {};
  if (how === 'own') return { params: others, asks };
  return { params: { ...others, ...said }, asks: how === 'ask' ? [...asks, key] : asks };
}

function On({ step, at, steps, onChange }: Omit<StepProps, 'onMove'>) {
  const entity = entityOf(step.command);
  const makers = steps
    .slice(0, at)
    .flatMap(({ command }, index) =>
      mayMake(command, entity) || (step.on.from === 'step' && step.on.step === index) ? [index] : [],
    );
  const fixed = step.first.on.from === 'records' ? step.first.on : null;
  const choices: readonly { value: string; on: StepTargets; text: string }[] = [
    { value: 'selection', on: { from: 'selection' }, text: t('history.macro.selection') },
    ...makers.map((index) => ({
      value: `step ${index}`,
      on: { from: 'step' as const, step: index },
      text: t('history.macro.madeBy', { n: index + 1 }),
    })),
    ...(fixed ? [{ value: 'records', on: fixed, text: t('history.macro.records', { names: listed(fixed.names) }) }] : []),
  ];
  return (
    <label className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1">
      <span className="w-28 shrink-0 text-meta text-2">{t('history.macro.on')}</span>
      <select
        value={step.on.from === 'step' ? `step ${step.on.step}` : step.on.from}
        onChange={({ target }) => {
          const choice = choices.find(({ value }) => value === target.value);
          if (choice) onChange({ on: choice.on });
        }}
        className="h-control max-w-full min-w-0 flex-1 truncate rounded-control border border-control bg-surface px-1"
      >
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function entityOf(command: string): string | null {
  const target = registry.get(command)?.target;
  return target && target.kind !== 'none' ? target.entity : null;
}

/** A command without targets on the same screen makes what others there run on. */
function mayMake(command: string, entity: string | null): boolean {
  const known = registry.get(command);
  return known?.target.kind === 'none' && command.split('.')[0] === entity;
}
