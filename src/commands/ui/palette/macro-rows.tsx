import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import type { CommandId } from '../../../../api/names.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import type { Macro } from '../../macros/macro.ts';
import { $macros } from '../../macros/store.ts';
import type { PaletteRow } from './options.tsx';

const maxMacros = 5;

export function macrosFor(query: string): readonly Macro[] {
  const searchText = query.normalize('NFKC').trim().toLowerCase();
  return $macros
    .get()
    .filter(({ name }) => name.normalize('NFKC').toLowerCase().includes(searchText))
    .slice(0, maxMacros);
}

export const macroStepsText = ({ steps }: Macro): string =>
  steps.map(({ command }) => bilingualName(command as CommandId)).join(' → ');

export const macroRow = (macro: Macro): Omit<PaletteRow, 'value'> => ({
  group: t('history.macro.group'),
  draw: () => (
    <>
      <Icon name="repeat" className="text-2" />
      <span className="truncate">{macro.name}</span>
      <span className="min-w-0 grow truncate text-meta text-2">{macroStepsText(macro)}</span>
    </>
  ),
});
