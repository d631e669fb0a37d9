import type { ImportRow } from '../../../api/imports/contract.ts';
import { groupDigits } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

const looks = {
  checked: 'pending',
  running: 'processing',
  canceled: 'refused',
  failed: 'failed',
  done: 'done',
  undone: 'off',
} as const;

export const ImportStatus = ({ row: { state } }: { row: ImportRow }) => (
  <Chip state={looks[state]}>{t(`imports.state.${state}`)}</Chip>
);

/** How many rows there are, and what came or would come of them. */
export const countsText = ({ state, total, good, bad, worked, imported }: ImportRow): string =>
  state === 'checked'
    ? t('imports.counts', { n: total, total: groupDigits(total), good: groupDigits(good), bad: groupDigits(bad) })
    : t('imports.result', {
        n: total,
        total: groupDigits(total),
        imported: groupDigits(imported),
        refused: groupDigits(worked - imported),
      });
