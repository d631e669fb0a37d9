import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { locale } from '../../../lib/i18n/i18n.ts';
import type { Target } from '../../../lib/scope.ts';
import { $permittedPaths } from '../../../lib/session/session.ts';
import { registry } from '../../app/all.ts';
import { getCurrentContext } from '../../app/context.ts';
import { createAssessor } from '../../engine/create-assessor.ts';
import type { Choice } from './choice.ts';
import { rowOf } from './choice-row.tsx';
import { filtersFor } from './filter-rows.tsx';
import { useHelpFor } from './help-rows.tsx';
import { macrosFor } from './macro-rows.tsx';
import type { PaletteRow } from './options.tsx';
import { useRecent } from './recent-rows.ts';
import { commandRows, notHereGroup, recordRows, type CommandRow } from './rows.ts';
import { useRecords } from './search/records.ts';
import { learnedWeights, usageWeights } from './search/usage.ts';
import { useViewsFor } from './view-rows.tsx';

interface ChoicesInput {
  query: string;
  within: Target | null;
  aimed: readonly Target[];
  narrow: (target: Target) => void;
}

interface PaletteChoices {
  rows: readonly PaletteRow[];
  choiceOf: (value: string) => Choice | undefined;
  found: number;
  busy: boolean;
}

type ChoiceEntry = readonly [value: string, choice: Choice];

const pinnedGroups = new Set<string>(['finder.group.selection', 'finder.group.recent']);

const isPermittedScreen = (screenPath: string): boolean => $permittedPaths.get().has(screenPath);

/**
 * Local results come first and server results below, so that nothing moves under the highlight.
 * Commands that can't run here come last.
 */
export function useChoices({ query, within, aimed, narrow }: ChoicesInput): PaletteChoices {
  const [path] = useLocation();
  const searchText = within ? '' : query;
  const views = useViewsFor(searchText, isPermittedScreen);
  const help = useHelpFor(searchText);
  const { records, busy } = useRecords(searchText, isPermittedScreen);
  const recent = useRecent(!within && query.trim() === '', isPermittedScreen);
  const assessIn = useMemo(() => createAssessor(aimed), [aimed]);
  const knownChoices = useMemo(() => {
    const input = {
      commands: registry.all,
      query,
      shown: locale() === 'zh-CN' ? 'zh' : 'en',
      path,
      targets: aimed,
      assess: assessIn(getCurrentContext()),
      weight: usageWeights(),
      learned: learnedWeights(query),
    } as const;
    const commands = within ? recordRows({ ...input, entity: within.entity }) : commandRows(input);
    const recentCommands =
      query.trim() === ''
        ? commands.findLastIndex(({ group }) => group !== null && pinnedGroups.has(group)) + 1
        : commands.length;
    const toChoiceEntry = (row: CommandRow): ChoiceEntry => [row.command.id, { kind: 'command', ...row }];
    // What can run, open or explain comes before what can't run, except a command that is called exactly so.
    const isCalledExactly = ({ command }: CommandRow) => bilingualName(command.id).toLowerCase() === query.trim().toLowerCase();
    const isLast = (row: CommandRow) => row.group === notHereGroup || (row.blocked !== null && !within && !isCalledExactly(row));
    const hereCommands = commands.filter((row) => !isLast(row)).map(toChoiceEntry);
    const topEntries = [
      ...hereCommands.slice(0, recentCommands),
      ...recent.map((record): ChoiceEntry => [`${record.entity}:${record.id}`, { kind: 'record', ...record }]),
      ...(within ? [] : macrosFor(query)).map((macro): ChoiceEntry => [`macro:${macro.id}`, { kind: 'macro', macro }]),
      ...(within ? [] : filtersFor(query)).map((filter): ChoiceEntry => [`filter:${filter.name}`, { kind: 'filter', filter }]),
      ...hereCommands.slice(recentCommands),
    ];
    return { above: topEntries, last: commands.filter(isLast).map((row) => toChoiceEntry({ ...row, group: notHereGroup })) };
  }, [query, path, aimed, within, recent, assessIn]);
  const recordEntries = useMemo(
    () => [
      ...views.map((view): ChoiceEntry => [`view:${view.id}`, { kind: 'view', view }]),
      ...records.map((target): ChoiceEntry => [`${target.entity}:${target.id}`, recordChoice(target)]),
    ],
    [views, records],
  );
  const helpEntries = useMemo(() => help.map((hit): ChoiceEntry => [`help:${hit.to}`, { kind: 'help', help: hit }]), [help]);

  const topRows = useRows(knownChoices.above, query, narrow);
  const foundRows = useRows(recordEntries, query, narrow);
  const helpRows = useRows(helpEntries, query, narrow);
  const lastRows = useRows(knownChoices.last, query, narrow);
  const rows = useMemo(() => [...topRows, ...foundRows, ...helpRows, ...lastRows], [topRows, foundRows, helpRows, lastRows]);
  const choices = useMemo(
    () => new Map([...knownChoices.above, ...recordEntries, ...helpEntries, ...knownChoices.last]),
    [knownChoices, recordEntries, helpEntries],
  );
  return { rows, choiceOf: (value) => choices.get(value), found: records.length, busy };
}

/** Stable objects avoid redraws. */
const useRows = (choices: readonly ChoiceEntry[], query: string, narrow: (target: Target) => void): readonly PaletteRow[] =>
  useMemo(
    () => [...new Map(choices)].map(([value, choice]) => ({ value, ...rowOf(choice, query, narrow) })),
    [choices, query, narrow],
  );

const recordChoice = (target: Target): Choice => {
  const { entity, id, name } = target;
  return { kind: 'record', entity, id, name, target };
};
