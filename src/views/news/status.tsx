import type { NewsRow } from '../../../api/news.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Chip } from '../../lib/ui/chip.tsx';

/** Show or Not Show. */
export const NewsStatus = ({ row }: { row: NewsRow }) => (
  <Chip state={row.shown ? 'done' : 'off'}>{t(row.shown ? 'news.status.shown' : 'news.status.hidden')}</Chip>
);
