import type { CommandId } from '../../../../api/names.ts';
import type { TextKey, MessageValues } from '../../../lib/i18n/i18n.ts';
import type { EntityName, Target } from '../../../lib/scope.ts';
import type { Assessment } from '../../engine/assess.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { matchingCommands } from './search/matching-commands.ts';
import { matchBands } from './search/search.ts';

const maxRows = 50;
const maxFound = 35;

/** Commands that can't run here under another name than the query are below records. */
export const notHereGroup: TextKey = 'finder.group.notHere';

export interface CommandRow {
  command: AnyCommand;
  marks: readonly number[];
  group: TextKey | null;
  blocked: { reason: TextKey; values?: MessageValues } | null;
}

export interface RowsInput {
  commands: readonly AnyCommand[];
  query: string;
  shown: 'zh' | 'en';
  path: string;
  targets: readonly Target[];
  assess: (command: AnyCommand) => Assessment;
  weight: (id: CommandId) => number;
  /** 0 to 1: how often this query led to the command. */
  learned: (id: CommandId) => number;
}

/**
 * Without a query: selection, recent commands, this screen, places. With one: best fits in either
 * language, commands that can't run below equals.
 */
export function commandRows(input: RowsInput): CommandRow[] {
  return input.query.trim() === '' ? browseCommands(input).slice(0, maxRows) : search(input).slice(0, maxFound);
}

function search({ commands, query, shown, path, assess, weight, learned }: RowsInput): CommandRow[] {
  const matches = matchingCommands(commands, query, shown).flatMap(([command, match, order]) => {
    const assessment = assess(command);
    if (assessment.state === 'hidden') return [];
    const blocked = assessment.state === 'blocked' ? assessment : null;
    if (blocked?.absent) return [];
    const usage = { learned: learned(command.id), weight: weight(command.id) };
    // A command that can't run ranks one band lower, so that Enter picks another with the same name.
    const score = match.band + (blocked && match.band > 0 ? 1 : 0);
    const group = blocked && !match.isCalledSo ? notHereGroup : null;
    return [
      {
        command,
        marks: match.marks,
        group,
        blocked,
        isScattered: match.band === matchBands.scattered,
        fit: score,
        ...usage,
        order,
      },
    ];
  });
  // Scattered letters count only if nothing else fits.
  const titleMatches = matches.filter(({ isScattered }) => !isScattered);
  return (titleMatches.length > 0 ? titleMatches : matches).sort(
    (a, b) =>
      Number(a.group !== null) - Number(b.group !== null) ||
      Math.floor(a.fit) - Math.floor(b.fit) ||
      Number(a.blocked !== null) - Number(b.blocked !== null) ||
      Number(b.command.place === path) - Number(a.command.place === path) ||
      b.learned - a.learned ||
      a.fit - b.fit ||
      b.weight - a.weight ||
      a.order - b.order,
  );
}

export function recordRows({ entity, ...input }: RowsInput & { entity: EntityName }): CommandRow[] {
  const commands = input.commands.filter(({ target }) => target.kind !== 'none' && target.entity === entity);
  if (input.query.trim() !== '') return search({ ...input, commands });
  const rows = commands.flatMap((command) => {
    const assessment = input.assess(command);
    if (assessment.state === 'hidden') return [];
    return [{ command, marks: [], group: null, blocked: assessment.state === 'blocked' ? assessment : null }];
  });
  return [...rows.filter(({ blocked }) => !blocked), ...rows.filter(({ blocked }) => blocked)];
}

function browseCommands({ commands, path, targets, assess, weight }: RowsInput): CommandRow[] {
  const availableCommands = commands.filter(
    (command) => assess(command).state === 'ok' && !command.id.startsWith('list.') && command.id !== 'palette.open',
  );
  const takenIds = new Set<string>();
  const takeGroup = (group: TextKey, isInGroup: (command: AnyCommand) => boolean, max = maxRows): CommandRow[] =>
    availableCommands
      .filter((command) => !takenIds.has(command.id) && isInGroup(command))
      .slice(0, max)
      .map((command) => {
        takenIds.add(command.id);
        return { command, marks: [], group, blocked: null };
      });
  const usedCommands = availableCommands.filter(({ id }) => weight(id) > 0).sort((a, b) => weight(b.id) - weight(a.id));
  const isNavigation = ({ id }: AnyCommand) => id.startsWith('go.');
  return [
    ...(targets.length > 0 ? takeGroup('finder.group.selection', ({ target }) => target.kind !== 'none') : []),
    ...usedCommands.slice(0, 4).flatMap((command) => takeGroup('finder.group.recent', (candidate) => candidate === command)),
    ...takeGroup(
      'finder.group.commands',
      (command) => !isNavigation(command) && (command.place === path || command.place === 'list'),
    ),
    ...takeGroup('finder.group.places', isNavigation),
    ...takeGroup('keys.global', (command) => command.place === 'global'),
  ];
}
