import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { labelText } from '../../../lib/i18n/punctuation.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import type { Target } from '../../../lib/scope.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { ConfirmDialog } from '../../../lib/ui/overlay/confirm-dialog.tsx';
import type { Macro } from '../../macros/macro.ts';
import { $macros, dropMacro } from '../../macros/store.ts';
import { $historyPage } from '../../macros/history-page.ts';

export function MacroList({ targets }: { targets: readonly Target[] }) {
  const macros = useStore($macros);
  const [macroToDelete, setMacroToDelete] = useState<Macro | null>(null);
  const deleteMacro = ({ id }: Macro) => {
    setMacroToDelete(null);
    dropMacro(id);
  };
  return (
    <div className="flex flex-col gap-3 pb-3">
      {macros.length === 0 && <p className="text-2">{t('history.macro.none')}</p>}
      <ul>
        {macros.map((macro, index) => (
          <li
            key={macro.id}
            data-macro={macro.name}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline py-2 last:border-0"
          >
            <strong className="min-w-0 font-medium break-words">{macro.name}</strong>
            <span className="min-w-0 flex-1 truncate text-meta text-2">
              {macro.steps.map(({ command }) => bilingualName(command as CommandId)).join(' → ')}
            </span>
            <span className="ms-auto flex flex-wrap gap-1">
              <Button
                data-autofocus={index === 0 || undefined}
                onClick={() => $historyPage.set({ page: 'run', macro, targets })}
                aria-label={labelText(t('history.macro.run'), macro.name)}
              >
                {t('history.macro.run')}
              </Button>
              <Button
                onClick={() => $historyPage.set({ page: 'edit', macro, isNew: false, targets })}
                aria-label={labelText(t('history.macro.rename'), macro.name)}
              >
                {t('history.macro.rename')}
              </Button>
              <Button onClick={() => setMacroToDelete(macro)} aria-label={labelText(t('history.macro.drop'), macro.name)}>
                {t('history.macro.drop')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={() => $historyPage.set({ page: 'history', picking: true, targets })}>{t('history.macro.new')}</Button>
      </div>
      <ConfirmDialog
        open={macroToDelete !== null}
        danger
        title={t('history.macro.dropTitle', { name: macroToDelete?.name ?? '' })}
        body={t('history.macro.dropBody')}
        confirmLabel={t('history.macro.drop')}
        onConfirm={() => {
          if (macroToDelete) deleteMacro(macroToDelete);
        }}
        onCancel={() => setMacroToDelete(null)}
      />
    </div>
  );
}
