import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import type { Target } from '../../../lib/scope.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import type { Choice } from './choice.ts';
import { filterRow } from './filter-rows.tsx';
import { helpRow } from './help-rows.tsx';
import { macroRow } from './macro-rows.tsx';
import type { PaletteRow } from './options.tsx';
import { Keys, HighlightedText, type KeyHint } from './parts.tsx';
import { screenName } from './preview.tsx';
import { recordRow } from './record-rows.tsx';
import { recordKindOf } from './search/searchers.ts';
import { viewRow } from './view-rows.tsx';

export function rowOf(choice: Choice, query: string, narrowTo: (target: Target) => void): Omit<PaletteRow, 'value'> {
  if (choice.kind === 'macro') return macroRow(choice.macro);
  if (choice.kind === 'view') return viewRow(choice.view, query);
  if (choice.kind === 'filter') return filterRow(choice.filter);
  if (choice.kind === 'help') return helpRow(choice.help, query);
  if (choice.kind === 'record') return recordRow(choice, query, narrowTo);
  const { command, marks, group, blocked } = choice;
  return {
    ...(group ? { group: t(group) } : {}),
    draw: () => (
      <>
        <Icon name={command.icon} className={blocked ? 'text-3' : 'text-2'} />
        <span className={`truncate ${blocked ? 'text-2' : ''}`}>
          <HighlightedText text={bilingualName(command.id)} marks={marks} />
        </span>
        <span className="min-w-0 grow truncate text-meta text-2">
          {blocked ? t(blocked.reason, blocked.values) : screenName(command.place)}
        </span>
        <Keys id={command.id} />
      </>
    ),
  };
}

const runHint: KeyHint = { keys: 'enter', text: 'finder.hint.run' };
const openHint: KeyHint = { keys: 'enter', text: 'finder.hint.open' };
const newTabHint: KeyHint = { keys: 'mod+enter', text: 'finder.hint.newTab' };
const commands: KeyHint = { keys: 'tab', text: 'finder.hint.commands' };
const hints = {
  command: [runHint, { keys: 'mod+enter', text: 'finder.hint.copyLink' }],
  macro: [runHint],
  filter: [runHint],
  view: [openHint],
  record: [openHint, commands, newTabHint],
  help: [openHint, newTabHint],
} as const satisfies Record<Choice['kind'], readonly KeyHint[]>;
const closedIcons = [commands];

/** Returns a stable array per kind. */
export const hintsOf = (choice: Choice): readonly KeyHint[] =>
  choice.kind === 'record' && !recordKindOf(choice).open ? closedIcons : hints[choice.kind];
