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
  return input.query.trim() === '' ? browse(input).slice(0, maxRows) : search(input).slice(0, maxFound);
}

function search({ commands, query, shown, path, assess, weight, learned }: RowsInput): CommandRow[] {
  const found = matchingCommands(commands, query, shown).flatMap(([command, match, order]) => {
    const verdict = assess(command);
    if (verdict.state === 'hidden') return [];
    const blocked = verdict.state === 'blocked' ? verdict : null;
    if (blocked?.absent) return [];
    const use = { learned: learned(command.id), weight: weight(command.id) };
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
        ...use,
        order,
      },
    ];
  });
  // Scattered letters count only if nothing else fits.
  const named = found.filter(({ isScattered }) => !isScattered);
  return (named.length > 0 ? named : found).sort(
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
    const verdict = input.assess(command);
    if (verdict.state === 'hidden') return [];
    return [{ command, marks: [], group: null, blocked: verdict.state === 'blocked' ? verdict : null }];
  });
  return [...rows.filter(({ blocked }) => !blocked), ...rows.filter(({ blocked }) => blocked)];
}

function browse({ commands, path, targets, assess, weight }: RowsInput): CommandRow[] {
  const open = commands.filter(
    (command) => assess(command).state === 'ok' && !command.id.startsWith('list.') && command.id !== 'palette.open',
  );
  const taken = new Set<string>();
  const take = (group: TextKey, fits: (command: AnyCommand) => boolean, max = maxRows): CommandRow[] =>
    open
      .filter((command) => !taken.has(command.id) && fits(command))
      .slice(0, max)
      .map((command) => {
        taken.add(command.id);
        return { command, marks: [], group, blocked: null };
      });
  const used = open.filter(({ id }) => weight(id) > 0).sort((a, b) => weight(b.id) - weight(a.id));
  const isPlace = ({ id }: AnyCommand) => id.startsWith('go.');
  return [
    ...(targets.length > 0 ? take('finder.group.selection', ({ target }) => target.kind !== 'none') : []),
    ...used.slice(0, 4).flatMap((command) => take('finder.group.recent', (other) => other === command)),
    ...take('finder.group.commands', (command) => !isPlace(command) && (command.place === path || command.place === 'list')),
    ...take('finder.group.places', isPlace),
    ...take('palette.keys.global', (command) => command.place === 'global'),
  ];
}
