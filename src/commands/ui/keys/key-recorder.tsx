import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { isMac, spellOutKeys } from '../../../lib/ui/value/key-text.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { isImeEvent, type Binding } from '../../engine/keys/keys.ts';
import { conflictingBindings, isReserved, strokeOf } from '../../engine/keys/rebinding.ts';
import { keysText, truncateLines } from '../../app/key-prefs.ts';

interface KeyRecorderProps {
  command: AnyCommand;
  keymap: readonly Binding[];
  replaces: string | undefined;
  /** `replacedBindings`: bindings that other commands lose. */
  onKeep: (keys: string, replacedBindings: readonly Binding[]) => void;
  onCancel: () => void;
}

const modifiers = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn', 'Dead', 'Tab']);

/**
 * Read-only, so that no input method or on-screen keyboard interferes. Tab moves to the buttons.
 */
export function KeyRecorder({ command, keymap, replaces, onKeep, onCancel }: KeyRecorderProps) {
  const [keys, setKeys] = useState<string | null>(null);
  const [isUnusable, setIsUnusable] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const recordButton = useRef<HTMLButtonElement>(null);
  const hintId = useId();
  useEffect(() => field.current?.focus(), []);

  const name = bilingualName(command.id);
  const conflicts = keys === null ? [] : conflictingBindings(command, keys, keymap);
  const ownConflicts = conflicts.filter((conflict) => conflict.id === command.id && conflict.keys !== replaces);
  const otherConflicts = conflicts.filter(({ id }) => id !== command.id);
  const names = truncateLines([...new Set(otherConflicts.map(({ id }) => bilingualName(id as CommandId)))]);
  const refusalText = isUnusable
    ? t('keys.unusable')
    : keys === null
      ? null
      : isReserved(keys)
        ? t('keys.reserved')
        : ownConflicts.length > 0
          ? t('keys.clashOwn')
          : null;
  const canKeep = keys !== null && refusalText === null;

  const keepKeys = () => {
    if (canKeep) onKeep(keys, otherConflicts);
  };

  function onKeyDown(event: KeyboardEvent) {
    if (isImeEvent(event.nativeEvent) || modifiers.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (event.key === 'Escape') return onCancel();
    if (event.key === 'Enter' && canKeep) return otherConflicts.length > 0 ? recordButton.current?.focus() : keepKeys();
    const stroke = strokeOf(event.nativeEvent, isMac());
    setIsUnusable(stroke === null);
    if (stroke !== null) setKeys(keys !== null && !keys.includes(' ') ? `${keys} ${stroke}` : stroke);
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
          aria-describedby={hintId}
          placeholder={t('keys.press', { name })}
          value={keys === null ? '' : keysText(keys)}
          onKeyDown={onKeyDown}
          className="h-control min-w-48 flex-1 rounded-control border border-control bg-surface px-2 font-medium placeholder:font-regular"
        />
        {otherConflicts.length > 0 && canKeep ? (
          <Button ref={recordButton} look="primary" onClick={keepKeys}>
            {t('keys.take', { count: new Set(otherConflicts.map(({ id }) => id)).size, names: names.join('') })}
          </Button>
        ) : (
          <Button look="primary" disabled={!canKeep} onClick={keepKeys}>
            {t('keys.keep')}
          </Button>
        )}
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
      </div>
      <p id={hintId} role="status" className="pt-1 text-meta text-2">
        {keys !== null && <span className="sr-only">{t('keys.pressed', { keys: spellOutKeys(keys, isMac(), t) })} </span>}
        {refusalText ??
          (otherConflicts.length > 0 ? t('keys.clash', { names: names.join(t('keys.comma')) }) : null) ??
          (keys === null ? t('keys.pressHint') : t('keys.pressMore'))}
      </p>
    </div>
  );
}
