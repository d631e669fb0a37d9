import type { NewsRow } from '../../../api/news/contract.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

/** Show or Not Show. */
export const NewsStatus = ({ row }: { row: NewsRow }) => (
  <Chip state={row.shown ? 'done' : 'off'}>{t(row.shown ? 'news.status.shown' : 'news.status.hidden')}</Chip>
);
