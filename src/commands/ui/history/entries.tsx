import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { formatRelative } from '../../../lib/format.ts';
import { foldText } from '../../../lib/fold-text.ts';
import { locale, t } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { $now } from '../../../lib/now.ts';
import type { Target } from '../../../lib/scope.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { Icon } from '../../../lib/ui/icon.tsx';
import { Kbd } from '../../../lib/ui/value/kbd.tsx';
import { isMac } from '../../../lib/ui/value/key-text.ts';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { runCommand } from '../../app/app.ts';
import { assessCommand } from '../../app/context.ts';
import { isImeEvent } from '../../engine/keys/keys.ts';
import { $history, ownEntries, type CommandHistoryEntry } from '../../engine/dispatch/history.ts';
import { undoEntry } from '../../app/dispatcher.ts';
import { readHistory } from '../../app/history-sync.ts';
import { registry } from '../../app/registry.ts';
import { CopyLink } from '../dialogs/copy-link.tsx';
import { newMacro } from '../../macros/store.ts';
import { recordedInvocation, stepsOf } from '../../macros/macro.ts';
import { $historyPage } from '../../macros/history-page.ts';
import { paramsText, recordNamesText, useParamWords } from './words.ts';

interface EntriesProps {
  targets: readonly Target[];
  picking: boolean;
}

export function HistoryEntries({ targets, picking }: EntriesProps) {
  useStore($history);
  useEffect(() => void readHistory(true), []);
  const [query, setQuery] = useState('');
  const [pickedIds, setPickedIds] = useState<ReadonlySet<string>>(new Set());
  const [currentIndex, setCurrentIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const allEntries = ownEntries();
  const entries = allEntries.filter((entry) => matchesQuery(entry, query));
  const boundedIndex = Math.min(currentIndex, entries.length - 1);

  const moveTo = (index: number) => {
    const boundedNext = Math.max(0, Math.min(entries.length - 1, index));
    setCurrentIndex(boundedNext);
    list.current?.querySelectorAll<HTMLElement>('[data-entry]')[boundedNext]?.focus();
  };
  const toggle = ({ id }: CommandHistoryEntry) =>
    setPickedIds(
      (previousIds) =>
        new Set(previousIds.has(id) ? [...previousIds].filter((pickedId) => pickedId !== id) : [...previousIds, id]),
    );
  const pickedEntries = allEntries.filter(({ id }) => pickedIds.has(id));
  const save = () => {
    if (pickedEntries.length > 0)
      $historyPage.set({ page: 'edit', macro: newMacro(stepsOf(pickedEntries.toReversed())), isNew: true, targets });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isImeEvent(event.nativeEvent)) return;
    const isTyping = event.target === search.current;
    const handleKey = (perform: () => void) => {
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat || /^(Arrow|j$|k$)/.test(event.key)) perform();
    };
    if (isTyping) {
      if (event.key === 'Escape' && query !== '') handleKey(() => setQuery(''));
      else if (event.key === 'ArrowDown' || event.key === 'Enter') handleKey(() => moveTo(0));
      return;
    }
    const entry = entries[boundedIndex];
    const hasModifier = isMac() ? event.metaKey : event.ctrlKey;
    if (hasModifier && event.key === 'z' && entry) return handleKey(() => void undoEntry(entry));
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') return handleKey(() => search.current?.focus());
    if (event.key === 'm') return handleKey(save);
    if (!entry) return;
    const isOnRow = event.target instanceof HTMLElement && event.target.hasAttribute('data-entry');
    if (event.key === 'j' || event.key === 'ArrowDown') handleKey(() => moveTo(boundedIndex + 1));
    else if (event.key === 'k' || event.key === 'ArrowUp') handleKey(() => moveTo(boundedIndex - 1));
    else if (event.key === 'Home') handleKey(() => moveTo(0));
    else if (event.key === 'End') handleKey(() => moveTo(entries.length - 1));
    else if (event.key === 'u') handleKey(() => void undoEntry(entry));
    else if (event.key === 'x' || (event.key === ' ' && isOnRow)) handleKey(() => toggle(entry));
    else if (event.key === '.' || (event.key === 'Enter' && isOnRow))
      handleKey(() => repeat(entry, event.shiftKey ? targets : null));
  };

  return (
    <div onKeyDown={onKeyDown} className="flex flex-col gap-2">
      <div className="sticky top-0 z-10 flex flex-wrap items-center gap-2 bg-overlay pb-2">
        <input
          ref={search}
          type="search"
          aria-label={t('history.filter')}
          placeholder={t('history.filter')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setCurrentIndex(0);
          }}
          data-autofocus={allEntries.length === 0 || undefined}
          className="h-control min-w-40 grow rounded-control border border-control bg-surface px-2"
        />
        {(picking || pickedIds.size > 0) && (
          <span role="status" className="text-meta text-2">
            {pickedIds.size > 0 ? t('history.picked', { count: pickedIds.size }) : t('history.pickHint')}
          </span>
        )}
        <Button
          look={pickedIds.size > 0 ? 'primary' : 'secondary'}
          aria-disabled={pickedIds.size === 0 || undefined}
          onClick={save}
          keys="m"
        >
          {t('history.saveAs')}
        </Button>
        <Button onClick={() => $historyPage.set({ page: 'macros', targets })}>{t('history.macros')}</Button>
      </div>
      {entries.length === 0 ? (
        <p className="py-6 text-2">{t(allEntries.length === 0 ? 'history.empty' : 'history.noneFits')}</p>
      ) : (
        <div ref={list} role="grid" aria-label={t('history.list')}>
          {entries.map((entry, index) => (
            <Row
              key={entry.id}
              entry={entry}
              isCurrent={index === boundedIndex}
              isFirst={index === 0}
              isPicked={pickedIds.has(entry.id)}
              targets={targets}
              onFocus={() => setCurrentIndex(index)}
              onPick={() => toggle(entry)}
            />
          ))}
        </div>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1 border-t border-hairline pt-2 pb-1 text-meta text-2 touch:hidden">
        <Hint keys={['j', 'k']}>{t('history.key.move')}</Hint>
        <Hint keys={['enter']}>{t('history.key.repeat')}</Hint>
        {targets.length > 0 && <Hint keys={['shift+enter']}>{t('history.repeatOn')}</Hint>}
        <Hint keys={['u']}>{t('history.key.undo')}</Hint>
        <Hint keys={['x']}>{t('history.key.pick')}</Hint>
        <Hint keys={['/']}>{t('history.key.filter')}</Hint>
      </p>
    </div>
  );
}

const Hint = ({ keys, children }: { keys: readonly string[]; children: ReactNode }) => (
  <span className="inline-flex items-center gap-1.5">
    {keys.map((key) => (
      <Kbd key={key} keys={key} silent />
    ))}
    {children}
  </span>
);

interface RowProps {
  entry: CommandHistoryEntry;
  isCurrent: boolean;
  isFirst: boolean;
  isPicked: boolean;
  targets: readonly Target[];
  onFocus: () => void;
  onPick: () => void;
}

function Row({ entry, isCurrent, isFirst, isPicked, targets, onFocus, onPick }: RowProps) {
  const { invocation, at: currentIndex, undo, undone } = entry;
  const row = useRef<HTMLDivElement>(null);
  const now = useStore($now);
  const command = registry.get(invocation.id);
  const name = bilingualName(invocation.id);
  const records = recordNamesText(entry);
  const paramTexts = useParamWords(invocation.id, recordedInvocation(entry));
  const iso = new Date(currentIndex).toISOString();
  const canRepeat = command !== undefined && assessCommand(command, []).state !== 'hidden';
  const otherTargets = otherTargetsOf(entry, targets);
  return (
    <div
      ref={row}
      role="row"
      data-entry={invocation.id}
      data-undone={undone}
      tabIndex={isCurrent ? 0 : -1}
      data-autofocus={isFirst || undefined}
      aria-label={joinList([name, records, ...paramTexts].filter((text) => text !== ''))}
      onFocus={onFocus}
      className={`flex gap-3 rounded-control border-b border-hairline px-2 py-2 outline-offset-[-2px] last:border-0 ${isCurrent ? 'bg-layer-hover' : ''}`}
    >
      <div role="gridcell">
        <input
          type="checkbox"
          checked={isPicked}
          onChange={onPick}
          aria-label={t('history.pick', { name })}
          tabIndex={isCurrent ? 0 : -1}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
      </div>
      <div role="gridcell" className="flex min-w-0 grow flex-col gap-1">
        <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
          <span className="inline-flex items-center gap-2 font-medium">
            {command && <Icon name={command.icon} className="text-2" />}
            {name}
          </span>
          {records && <span className="min-w-0 break-words text-1">{records}</span>}
          <span className="ms-auto text-meta whitespace-nowrap text-2">
            {relativeTimeOf(currentIndex, now)} · <TimeText iso={iso} />
          </span>
        </div>
        {paramTexts.length > 0 && (
          <p className="line-clamp-2 text-meta break-words text-2" dir="auto">
            {paramTexts.join(' · ')}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-1">
          <Chip state={undone ? 'refused' : undo ? 'done' : 'off'}>
            {t(undone ? 'history.undone' : undo ? 'history.undoable' : 'history.final')}
          </Chip>
          <span className="ms-auto flex flex-wrap gap-1">
            {canRepeat && (
              <Button look="ghost" tabIndex={isCurrent ? 0 : -1} onClick={() => repeat(entry, null)}>
                {t('history.repeat')}
              </Button>
            )}
            {canRepeat && otherTargets && (
              <Button
                look="ghost"
                tabIndex={isCurrent ? 0 : -1}
                title={t('history.repeatOnHint', { name: joinList(otherTargets.map((target) => target.name)) })}
                onClick={() => repeat(entry, otherTargets)}
              >
                {t('history.repeatOn')}
              </Button>
            )}
            <CopyLink tabIndex={isCurrent ? 0 : -1} of={() => invocation} />
            {undo && !undone && (
              <Button
                look="ghost"
                tabIndex={isCurrent ? 0 : -1}
                onClick={() => {
                  void undoEntry(entry);
                  row.current?.focus();
                }}
              >
                {t('common.undo')}
              </Button>
            )}
          </span>
        </div>
      </div>
    </div>
  );
}

/** Clamped, because the shared clock may lag by seconds. */
const relativeTimeOf = (at: number, now: Date): string =>
  formatRelative(new Date(at).toISOString(), new Date(Math.max(now.getTime(), at)), locale());

/** Null: the same records, or of another kind. */
function otherTargetsOf({ invocation }: CommandHistoryEntry, targets: readonly Target[]): readonly Target[] | null {
  const target = registry.get(invocation.id)?.target;
  if (!target || target.kind === 'none' || targets.length === 0) return null;
  const [firstTarget] = targets;
  const executedIds = (invocation.targets ?? []).map((pickedId) => (typeof pickedId === 'string' ? pickedId : pickedId.id));
  const isSame = executedIds.length === targets.length && targets.every(({ id }) => executedIds.includes(id));
  return firstTarget?.entity === target.entity && !isSame ? targets : null;
}

/** Passes the danger gate again with its values shown. */
function repeat({ invocation }: CommandHistoryEntry, otherTargets: readonly Target[] | null): void {
  const { id, targets, params } = invocation;
  $historyPage.set(null);
  const paramsOption = params ? { params } : {};
  if (otherTargets) return runCommand({ id, ...paramsOption }, 'repeat', otherTargets);
  const ids = targets?.map((target) => (typeof target === 'string' ? target : target.id));
  runCommand({ id, ...paramsOption, ...(ids ? { targets: ids } : {}) }, 'repeat');
}

function matchesQuery(entry: CommandHistoryEntry, query: string): boolean {
  const searchText = foldText(query);
  if (searchText === '') return true;
  const { id } = entry.invocation;
  return [bilingualName(id), id, recordNamesText(entry), ...paramsText(id, recordedInvocation(entry))].some((text) =>
    foldText(text).includes(searchText),
  );
}
