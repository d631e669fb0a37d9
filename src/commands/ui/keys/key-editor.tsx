import { useStore } from '@nanostores/react';
import Plus from 'lucide-react/icons/plus';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import X from 'lucide-react/icons/x';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { locale, t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { showToast } from '../../../lib/ui/overlay/toasts-store.ts';
import { IconButton } from '../../../lib/ui/button.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';
import { Kbd } from '../../../lib/ui/value/kbd.tsx';
import { assessCommand } from '../../app/context.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { findConflicts, setKeys, withoutBindings } from '../../engine/keys/rebinding.ts';
import type { Binding } from '../../engine/keys/keys.ts';
import { matchCommand, parseQuery } from '../palette/search/search.ts';
import { registry } from '../../app/registry.ts';
import { KeyRecorder } from './key-recorder.tsx';
import { keysText, setOverrides } from '../../app/key-prefs.ts';
import { sectionsOf } from './key-sheet.tsx';
import { $keymap, $overrides, $singleKeys, setSingleKeys } from '../../app/keymap.ts';
import { CommandTrigger } from '../controls/command-trigger.tsx';

/** `at`: index of the key that is replaced, or one more. */
interface EditTarget {
  id: string;
  at: number;
}

export function KeyEditor({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [editTarget, setEditTarget] = useState<EditTarget | null>(null);
  const allCommands = useStore(registry.$all);
  const overrides = useStore($overrides);
  const keymap = useStore($keymap);
  const list = useRef<HTMLDivElement>(null);

  const permitted = useMemo(() => allCommands.filter((command) => assessCommand(command).state !== 'hidden'), [allCommands]);
  const activeBindings = useMemo(() => {
    const ids = new Set<string>(permitted.map(({ id }) => id));
    return keymap.filter(({ id }) => ids.has(id));
  }, [permitted, keymap]);
  const conflictsById = useMemo(() => conflictsByCommand(activeBindings), [activeBindings]);
  const shownLanguage = locale() === 'zh-CN' ? 'zh' : 'en';
  const searchQuery = parseQuery(query);
  const commands = permitted.filter(({ id }) => searchQuery.asked === '' || matchCommand(id, searchQuery, shownLanguage));

  const changeKeys = (command: AnyCommand, keys: readonly string[], replacedBindings: readonly Binding[] = []) =>
    setOverrides(setKeys(withoutBindings(overrides, replacedBindings, allCommands), command, keys));
  const finishEditing = (id: string, keyIndex: number) => {
    setEditTarget(null);
    requestAnimationFrame(() => focusKeys(list.current, id, keyIndex));
  };

  return (
    <Dialog open onClose={onClose} title={bilingualName('keys.edit')} description={t('keys.intro')} size="large">
      <Tools query={query} setQuery={setQuery} goDown={() => focusFirst(list.current)} />
      <div ref={list} className="pb-4" onKeyDown={(event) => editTarget === null && moveRow(event)}>
        {sectionsOf(commands).map(({ title, members }) => (
          <section key={title} aria-label={title} className="mb-5">
            <h3 className="pb-1 text-meta font-semibold text-2">{title}</h3>
            <ul>
              {members.map((command) => (
                <Row
                  key={command.id}
                  command={command}
                  keys={overrides[command.id] ?? command.keys ?? []}
                  isOwn={command.id in overrides}
                  clashes={conflictsById.get(command.id)}
                  keymap={activeBindings}
                  at={editTarget?.id === command.id ? editTarget.at : null}
                  edit={(keyIndex) => setEditTarget({ id: command.id, at: keyIndex })}
                  change={(keys, replacedBindings) => changeKeys(command, keys, replacedBindings)}
                  done={(keyIndex) => finishEditing(command.id, keyIndex)}
                />
              ))}
            </ul>
          </section>
        ))}
        {commands.length === 0 && <p className="text-2">{t('keys.none')}</p>}
      </div>
    </Dialog>
  );
}

interface ToolsProps {
  query: string;
  setQuery: (query: string) => void;
  goDown: () => void;
}

function Tools({ query, setQuery, goDown }: ToolsProps) {
  const isSingleKeysOn = useStore($singleKeys);
  return (
    <div className="z-10 flex sm:sticky sm:-top-2 flex-col gap-2 bg-overlay pt-2 pb-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <input
          data-autofocus
          type="search"
          aria-label={t('keys.search')}
          placeholder={t('keys.search')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            goDown();
          }}
          className="h-control min-w-40 grow rounded-control border border-control bg-surface px-2"
        />
        <Check label={t('keys.single')} checked={isSingleKeysOn} set={setSingleKeys} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <CommandTrigger id="keys.import" />
        <CommandTrigger id="keys.export" />
        <CommandTrigger id="keys.reset" />
      </div>
    </div>
  );
}

function Check({ label, checked, set }: { label: string; checked: boolean; set: (isOn: boolean) => void }) {
  return (
    <label className="inline-flex min-h-6 items-center gap-2">
      <input type="checkbox" checked={checked} onChange={({ target }) => set(target.checked)} className="size-4 accent-accent" />
      {label}
    </label>
  );
}

interface RowProps {
  command: AnyCommand;
  keys: readonly string[];
  isOwn: boolean;
  clashes: readonly string[] | undefined;
  keymap: readonly Binding[];
  at: number | null;
  edit: (keyIndex: number) => void;
  change: (keys: readonly string[], replacedBindings?: readonly Binding[]) => void;
  done: (keyIndex: number) => void;
}

const reportChange = (change: string) => showToast({ kind: 'success', text: t('common.happened', { what: change }) });

function Row({ command, keys, isOwn, clashes, keymap, at, edit, change, done }: RowProps) {
  const name = bilingualName(command.id);
  const keepKeys = (pressedKeys: string, replacedBindings: readonly Binding[]) => {
    change(at !== null && at < keys.length ? keys.with(at, pressedKeys) : [...keys, pressedKeys], replacedBindings);
    reportChange(t('keys.kept', { name, keys: keysText(pressedKeys) }));
    done(at ?? keys.length);
  };
  const removeKeys = (index: number) => {
    change(keys.toSpliced(index, 1));
    reportChange(t('keys.removed', { name, keys: keysText(keys[index] ?? '') }));
    done(Math.max(0, index - 1));
  };
  const resetCommandKeys = () => {
    change(command.keys ?? []);
    reportChange(t('keys.resetOne', { name }));
    done(0);
  };
  return (
    <li data-keys-of={command.id} className="border-b border-hairline py-0.5">
      <div className="flex min-h-7 flex-wrap items-center justify-end gap-x-4 gap-y-1">
        <span className="min-w-40 flex-1">
          {name}
          {clashes && (
            <span className="flex items-center gap-1 text-meta text-2">
              <TriangleAlert size={12} aria-hidden="true" className="text-warn-icon" />
              {t('keys.clashNow', { names: clashes.join(t('keys.comma')) })}
            </span>
          )}
        </span>
        <span className="flex flex-wrap items-center justify-end gap-1">
          {keys.map((keySequence, index) => (
            <span key={keySequence} className="inline-flex items-center rounded-control border border-hairline">
              <button
                type="button"
                data-keys-at={index}
                aria-label={t('keys.change', { name, keys: keysText(keySequence) })}
                onClick={() => edit(index)}
                className="ring-inside flex h-control min-w-6 items-center rounded-control px-1.5 hover:bg-layer-hover"
              >
                <Kbd keys={keySequence} silent always />
              </button>
              <IconButton
                label={t('keys.remove', { name, keys: keysText(keySequence) })}
                icon={<X size={12} aria-hidden="true" />}
                className="ring-inside w-6! pointer-coarse:w-11!"
                onClick={() => removeKeys(index)}
              />
            </span>
          ))}
          <IconButton
            data-keys-at={keys.length}
            label={t('keys.add', { name })}
            icon={<Plus size={14} aria-hidden="true" />}
            onClick={() => edit(keys.length)}
          />
          <IconButton
            label={t('keys.reset', { name })}
            icon={<RotateCcw size={14} aria-hidden="true" className="flip-rtl" />}
            className={isOwn ? '' : 'invisible'}
            onClick={resetCommandKeys}
          />
        </span>
      </div>
      {at !== null && (
        <KeyRecorder command={command} keymap={keymap} replaces={keys[at]} onKeep={keepKeys} onCancel={() => done(at)} />
      )}
    </li>
  );
}

function moveRow(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...event.currentTarget.querySelectorAll('[data-keys-of]')];
  const keyIndex = rows.findIndex((row) => row.contains(event.target as Node));
  const nextRowButton =
    rows[event.key === 'ArrowDown' ? keyIndex + 1 : keyIndex - 1]?.querySelector<HTMLElement>('[data-keys-at]');
  if (keyIndex < 0 || !nextRowButton) return;
  event.preventDefault();
  nextRowButton.focus();
}

function focusKeys(list: HTMLElement | null, id: string, keyIndex: number): void {
  const row = list?.querySelector(`[data-keys-of="${CSS.escape(id)}"]`);
  (row?.querySelector<HTMLElement>(`[data-keys-at="${keyIndex}"]`) ?? row?.querySelector<HTMLElement>('[data-keys-at]'))?.focus();
}

const focusFirst = (list: HTMLElement | null): void => list?.querySelector<HTMLElement>('[data-keys-at]')?.focus();

function conflictsByCommand(keymap: readonly Binding[]): ReadonlyMap<string, readonly string[]> {
  const conflictSets = new Map<string, Set<string>>();
  const addConflict = (id: string, otherName: string) =>
    conflictSets.set(id, (conflictSets.get(id) ?? new Set<string>()).add(bilingualName(otherName as CommandId)));
  for (const { one, other } of findConflicts(keymap)) {
    addConflict(one.id, other.id);
    addConflict(other.id, one.id);
  }
  return new Map([...conflictSets].map(([id, names]) => [id, [...names]]));
}
