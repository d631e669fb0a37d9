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

export const grouped = (count: number): string => groupDigits(count);

/** How many rows there are, and what came or would come of them. */
export const countsText = ({ state, total, good, bad, worked, imported }: ImportRow): string =>
  state === 'checked'
    ? t('imports.counts', { total: grouped(total), good: grouped(good), bad: grouped(bad) })
    : t('imports.result', { total: grouped(total), imported: grouped(imported), refused: grouped(worked - imported) });
