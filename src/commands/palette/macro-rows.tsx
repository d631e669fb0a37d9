import { t } from '../../lib/i18n/i18n.ts';
import { nameOf } from '../../lib/i18n/name-of.ts';
import type { CommandId } from '../../../api/names.ts';
import type { Target } from '../../lib/scope.ts';
import { Icon } from '../../lib/ui/icon.tsx';
import { $macros } from '../history/macros.ts';
import { $historyPage } from '../history/view.ts';
import type { PaletteRow } from './list.tsx';

const prefix = 'macro:';
const most = 5;

/** This person's macros whose name or steps fit the query, as rows of their own. */
export function macroRows(query: string): PaletteRow[] {
  const asked = query.normalize('NFKC').trim().toLowerCase();
  return $macros
    .get()
    .filter(({ name }) => name.normalize('NFKC').toLowerCase().includes(asked))
    .slice(0, most)
    .map(({ id, name, steps }) => ({
      value: `${prefix}${id}`,
      group: t('history.macro.group'),
      content: (
        <>
          <Icon name="repeat" className="text-2" />
          <span className="truncate">{name}</span>
          <span className="min-w-0 grow truncate text-meta text-2">
            {steps.map(({ command }) => nameOf(command as CommandId)).join(' → ')}
          </span>
        </>
      ),
    }));
}

/** Opens the macro of a row on what is selected, before anything runs. False where the row is none. */
export function openMacro(value: string, targets: readonly Target[]): boolean {
  const macro = value.startsWith(prefix) ? $macros.get().find(({ id }) => `${prefix}${id}` === value) : undefined;
  if (macro) $historyPage.set({ page: 'run', macro, targets });
  return macro !== undefined;
}
