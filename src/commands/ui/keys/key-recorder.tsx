import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { isMac, spokenKeys } from '../../../lib/ui/value/key-text.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { isImeEvent, type Binding } from '../../engine/keys/keys.ts';
import { clashesWith, isReserved, strokeOf } from '../../engine/keys/rebinding.ts';
import { keysText, truncateLines } from '../../app/key-prefs.ts';

interface KeyRecorderProps {
  command: AnyCommand;
  keymap: readonly Binding[];
  replaces: string | undefined;
  /** `taken`: bindings that other commands lose. */
  onKeep: (keys: string, replaced: readonly Binding[]) => void;
  onCancel: () => void;
}

const modifiers = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn', 'Dead', 'Tab']);

/**
 * Read-only, so that no input method or on-screen keyboard interferes. Tab moves to the buttons.
 */
export function KeyRecorder({ command, keymap, replaces, onKeep, onCancel }: KeyRecorderProps) {
  const [keys, setPressed] = useState<string | null>(null);
  const [isUnusable, setUnusable] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const take = useRef<HTMLButtonElement>(null);
  const hint = useId();
  useEffect(() => field.current?.focus(), []);

  const name = bilingualName(command.id);
  const clashes = keys === null ? [] : clashesWith(command, keys, keymap);
  const own = clashes.filter((one) => one.id === command.id && one.keys !== replaces);
  const others = clashes.filter(({ id }) => id !== command.id);
  const names = truncateLines([...new Set(others.map(({ id }) => bilingualName(id as CommandId)))]);
  const refused = isUnusable
    ? t('keys.unusable')
    : keys === null
      ? null
      : isReserved(keys)
        ? t('keys.reserved')
        : own.length > 0
          ? t('keys.clashOwn')
          : null;
  const canKeep = keys !== null && refused === null;

  const keep = () => {
    if (canKeep) onKeep(keys, others);
  };

  function onKeyDown(event: KeyboardEvent) {
    if (isImeEvent(event.nativeEvent) || modifiers.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (event.key === 'Escape') return onCancel();
    if (event.key === 'Enter' && canKeep) return others.length > 0 ? take.current?.focus() : keep();
    const stroke = strokeOf(event.nativeEvent, isMac());
    setUnusable(stroke === null);
    if (stroke !== null) setPressed(keys !== null && !keys.includes(' ') ? `${keys} ${stroke}` : stroke);
  }
  // Esc cancels the recording, not the dialog.
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };

  return (
    <div className="mb-2 rounded-card border border-hairline bg-layer p-2" onKeyDown={onEscape}>
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={field}
          readOnly
          data-recorder
          aria-label={t('keys.press', { name })}
          aria-describedby={hint}
          placeholder={t('keys.press', { name })}
          value={keys === null ? '' : keysText(keys)}
          onKeyDown={onKeyDown}
          className="h-control min-w-48 flex-1 rounded-control border border-control bg-surface px-2 font-medium placeholder:font-regular"
        />
        {others.length > 0 && canKeep ? (
          <Button ref={take} look="primary" onClick={keep}>
            {t('keys.take', { count: new Set(others.map(({ id }) => id)).size, names: names.join('') })}
          </Button>
        ) : (
          <Button look="primary" disabled={!canKeep} onClick={keep}>
            {t('keys.keep')}
          </Button>
        )}
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
      </div>
      <p id={hint} role="status" className="pt-1 text-meta text-2">
        {keys !== null && <span className="sr-only">{t('keys.pressed', { keys: spokenKeys(keys, isMac(), t) })} </span>}
        {refused ??
          (others.length > 0 ? t('keys.clash', { names: names.join(t('keys.comma')) }) : null) ??
          (keys === null ? t('keys.pressHint') : t('keys.pressMore'))}
      </p>
    </div>
  );
}
