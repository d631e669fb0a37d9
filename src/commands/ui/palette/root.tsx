import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import { copyText } from '../../../lib/clipboard.ts';
import { t, locale } from '../../../lib/i18n/i18n.ts';
import { nameOf } from '../../../lib/i18n/name-of.ts';
import type { EntityName, Target } from '../../../lib/scope.ts';
import { $permittedPaths } from '../../../lib/session/session.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import type { ViewRow } from '../../../../api/workspace/views.ts';
import { isMac } from '../../../lib/ui/value/key-text.ts';
import { registry } from '../../app/all.ts';
import { judge } from '../../app/app.ts';
import { dispatch } from '../../app/dispatcher.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { isStroke, type Stroke } from '../../engine/keys/keys.ts';
import type { Macro } from '../../workspace/macro.ts';
import { $historyPage } from '../../workspace/history-view.ts';
import { addressOf } from '../../workspace/views.ts';
import { linkOf } from '../../app/links.ts';
import { aimText } from '../ask/ask.ts';
import { $palette, asksInPalette } from '../../app/questions.ts';
import { conversionsOf, unitNames, type Conversion } from './search/conversions.ts';
import { PaletteList, type PaletteRow } from './list.tsx';
import { filterRow, filtersFor, type OfferedFilter } from './filter-rows.tsx';
import { macroRow, macrosFor } from './macro-rows.tsx';
import { useViewsFor, viewRow } from './view-rows.tsx';
import { Chip, Footer, Keys, Marked, type KeyHint } from './parts.tsx';
import { placeName, Preview } from './preview.tsx';
import { useRecent } from './recent-rows.ts';
import { recordRow } from './record-rows.tsx';
import { useRecords } from './search/records.ts';
import { commandRows, recordRows, type CommandRow } from './rows.ts';
import { kindOf } from './search/searchers.ts';
import { learned, noteUse, weights } from './search/uses.ts';

/** What stands in the input. `within`: only commands of that record are offered; `outer` was typed before. */
export interface Line {
  query: string;
  within: Target | null;
  outer: string;
}
export const emptyLine: Line = { query: '', within: null, outer: '' };

interface RootProps {
  targets: readonly Target[];
  line: Line;
  setLine: (line: Line) => void;
  close: () => void;
}

/** Something that can be chosen. */
export type Choice =
  | ({ kind: 'command' } & CommandRow)
  /** Without a target: opened lately, and not read again yet. */
  | { kind: 'record'; entity: EntityName; id: string; name: string; target: Target | null }
  | { kind: 'macro'; macro: Macro }
  | { kind: 'view'; view: ViewRow }
  | { kind: 'filter'; filter: OfferedFilter }
  | ({ kind: 'conversion' } & Conversion);

/** What stands above a person's macros when nothing is typed. */
const isOwn = new Set<string>(['finder.group.selection', 'finder.group.recent']);

const mod = (key: string): Stroke => ({ mod: true, ctrl: false, alt: false, shift: false, key });

const mayOpen = (place: string): boolean => $permittedPaths.get().has(place);

/** The commands, and below them the records that fit what is typed. */
export function Root({ targets, line, setLine, close }: RootProps) {
  const { query, within } = line;
  const [dropped, setDropped] = useState(false);
  const [path] = useLocation();
  const aimed = useMemo(() => (within ? [within] : dropped ? [] : targets), [within, dropped, targets]);
  const shown = locale() === 'zh-CN' ? 'zh' : 'en';
  const views = useViewsFor(within ? '' : query, mayOpen);
  const { records, busy } = useRecords(within ? '' : query, mayOpen);
  const recent = useRecent(!within && query.trim() === '', mayOpen);

  const choices = useMemo(() => {
    const input = {
      commands: registry.all,
      query,
      shown,
      path,
      targets: aimed,
      judge: (command: AnyCommand) => judge(command, aimed),
      weight: weights(),
      learned: learned(query),
    } as const;
    const commands = within ? recordRows({ ...input, entity: within.entity }) : commandRows(input);
    // With nothing typed the macros stand below what fits the selection and what was used lately; else below the commands.
    const lately =
      query.trim() === '' ? commands.findLastIndex(({ group }) => group !== null && isOwn.has(group)) + 1 : commands.length;
    const offered = commands.map((row) => [row.command.id, { kind: 'command', ...row }] as const);
    return new Map<string, Choice>([
      ...(within ? [] : conversionsOf(query)).map((one) => [`convert:${one.unit}`, { kind: 'conversion', ...one }] as const),
      ...offered.slice(0, lately),
      ...recent.map((one) => [`${one.entity}:${one.id}`, { kind: 'record', ...one }] as const),
      ...(within ? [] : macrosFor(query)).map((macro) => [`macro:${macro.id}`, { kind: 'macro', macro }] as const),
      ...(within ? [] : filtersFor(query)).map((filter) => [`filter:${filter.name}`, { kind: 'filter', filter }] as const),
      ...offered.slice(lately),
      ...views.map((view) => [`view:${view.id}`, { kind: 'view', view }] as const),
      ...records.map((target) => [`${target.entity}:${target.id}`, recordChoice(target)] as const),
    ]);
  }, [query, shown, path, aimed, within, views, records, recent]);

  const narrow = useCallback((target: Target) => setLine({ query: '', within: target, outer: query }), [query, setLine]);
  const rows = useMemo(
    () => [...choices].map(([value, choice]): PaletteRow => ({ value, ...rowOf(choice, query, narrow) })),
    [choices, query, narrow],
  );
  const widen = () => setLine({ ...emptyLine, query: line.outer });
  const drop = () => (within ? widen() : setDropped(true));

  const choose = (value: string) => {
    const choice = choices.get(value);
    if (choice?.kind === 'command') void pick(choice.command, aimed, query, close);
    else if (choice?.kind === 'conversion') void copy(choice.text, close);
    else if (choice?.kind === 'macro') {
      close();
      $historyPage.set({ page: 'run', macro: choice.macro, targets: aimed });
    } else if (choice?.kind === 'view') {
      close();
      void dispatch({ id: 'views.open', params: { view: choice.view.id } }, 'palette', []);
    } else if (choice?.kind === 'filter') {
      close();
      choice.filter.open();
    } else if (choice) {
      const { target, id } = choice;
      const { open } = kindOf(choice);
      if (!open) return target ? narrow(target) : undefined;
      close();
      void (target ? dispatch({ id: open }, 'palette', [target]) : dispatch({ id: open, targets: [id] }, 'palette'));
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, current: string) => {
    const choice = choices.get(current);
    const keep = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (event.key === 'Escape' && (query !== '' || within)) {
      keep();
      if (query !== '') setLine({ ...line, query: '' });
      else widen();
    } else if (event.key === 'Backspace' && query === '' && !event.repeat) {
      keep(); // or it would take a letter of what comes back
      drop();
    } else if (isStroke(event.nativeEvent, mod('k'), isMac())) {
      keep();
      close();
    } else if (isStroke(event.nativeEvent, mod('enter'), isMac())) {
      keep();
      if (choice) aside(choice, aimed, close);
    } else if (choice?.kind === 'record' && isForward(event)) {
      keep();
      if (choice.target) narrow(choice.target);
    }
  };

  return (
    <PaletteList
      label={t('palette.title')}
      query={query}
      onQuery={(text) => setLine({ ...line, query: text })}
      placeholder={t(within ? 'finder.within' : 'finder.placeholder')}
      rows={rows}
      onSelect={choose}
      onKeyDown={onKeyDown}
      empty={t(busy ? 'finder.searching' : within && query === '' ? 'finder.nothingWithin' : 'finder.empty')}
      status={records.length > 0 && !busy ? t('finder.found', { count: records.length }) : undefined}
      chips={aimed.length > 0 && <Chip text={aimText(aimed)} drop={drop} />}
      below={(current) => {
        const choice = choices.get(current);
        return (
          <>
            {choice && choice.kind !== 'conversion' && choice.kind !== 'filter' && <Preview choice={choice} aimed={aimed} />}
            <Footer back={within !== null} hints={choice ? hintsOf(choice) : []} />
          </>
        );
      }}
    />
  );
}

const recordChoice = (target: Target): Choice => {
  const { entity, id, name } = target;
  return { kind: 'record', entity, id, name, target };
};

/** Tab, or the arrow that would leave the end of the text. */
function isForward(event: KeyboardEvent<HTMLInputElement>): boolean {
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { selectionStart, selectionEnd, value, dir } = event.currentTarget;
  const out = (dir || document.dir) === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  return event.key === 'Tab' || (event.key === out && selectionStart === value.length && selectionEnd === value.length);
}

function rowOf(choice: Choice, query: string, narrow: (target: Target) => void): Omit<PaletteRow, 'value'> {
  if (choice.kind === 'conversion') {
    return {
      group: t('finder.conversions'),
      content: (
        <>
          <Icon name="calculator" className="text-2" />
          <span className="min-w-0 truncate tabular-nums">{choice.text}</span>
          <span className="min-w-0 grow truncate text-meta text-2">{t(unitNames[choice.unit])}</span>
        </>
      ),
    };
  }
  if (choice.kind === 'macro') return macroRow(choice.macro);
  if (choice.kind === 'view') return viewRow(choice.view, query);
  if (choice.kind === 'filter') return filterRow(choice.filter);
  if (choice.kind === 'record') return recordRow(choice, query, narrow);
  const { command, marks, group, blocked } = choice;
  return {
    ...(group ? { group: t(group) } : {}),
    content: (
      <>
        <Icon name={command.icon} className={blocked ? 'text-3' : 'text-2'} />
        <span className={`truncate ${blocked ? 'text-2' : ''}`}>
          <Marked text={nameOf(command.id)} marks={marks} />
        </span>
        <span className="min-w-0 grow truncate text-meta text-2">
          {blocked ? t(blocked.reason, blocked.values) : placeName(command.place)}
        </span>
        <Keys id={command.id} />
      </>
    ),
  };
}

function hintsOf(choice: Choice): KeyHint[] {
  if (choice.kind === 'conversion') return [{ keys: 'enter', text: t('finder.hint.copy') }];
  if (choice.kind === 'macro' || choice.kind === 'filter') return [{ keys: 'enter', text: t('finder.hint.run') }];
  if (choice.kind === 'view') return [{ keys: 'enter', text: t('finder.hint.open') }];
  if (choice.kind === 'command')
    return [
      { keys: 'enter', text: t('finder.hint.run') },
      { keys: 'mod+enter', text: t('finder.hint.copyLink') },
    ];
  const commands = { keys: 'tab', text: t('finder.hint.commands') };
  if (!kindOf(choice).open) return [commands];
  return [{ keys: 'enter', text: t('finder.hint.open') }, commands, { keys: 'mod+enter', text: t('finder.hint.newTab') }];
}

/** The second thing that can be done with a row: a record beside this page, a link to a command. */
function aside(choice: Choice, aimed: readonly Target[], close: () => void): void {
  if (choice.kind === 'conversion' || choice.kind === 'macro' || choice.kind === 'filter') return;
  if (choice.kind === 'view') return void window.open(addressOf(choice.view), '_blank', 'noopener');
  if (choice.kind === 'record') {
    const { open } = kindOf(choice);
    if (open) window.open(linkOf({ id: open, targets: [choice.id] }), '_blank', 'noopener');
    return;
  }
  const { id, target } = choice.command;
  const targets = target.kind === 'none' ? [] : aimed.map((one) => one.id);
  void copy(`${location.origin}${linkOf({ id, targets })}`, close);
}

/** Where the browser refuses, the palette stays: it can be read off. */
async function copy(text: string, close: () => void): Promise<void> {
  if (await copyText(text)) close();
}

/** Runs the picked command. The palette stays while it asks something of its own; else it goes first. */
async function pick(command: AnyCommand, targets: readonly Target[], query: string, close: () => void): Promise<void> {
  noteUse(command.id, query);
  const isGrave = command.confirm === true || command.danger === 'irreversible' || command.danger === 'money';
  const asks =
    judge(command, targets).state === 'ok' &&
    asksInPalette({ command, source: 'palette' }) &&
    (command.params !== null || isGrave);
  if (!asks) close();
  const opened = $palette.get();
  const outcome = dispatch({ id: command.id }, 'palette', targets);
  if (!asks) return;
  const { status } = await outcome;
  if (status === 'cancelled' && staysFor(command)) return; // one step back, to the list
  if ($palette.get() === opened) $palette.set(null);
}

const staysFor = (command: AnyCommand): boolean => command.params !== null && asksInPalette({ command, source: 'palette' });
