import type { FeedbackRow } from '../../../api/feedback/contract.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

export const FeedbackStatus = ({ row }: { row: FeedbackRow }) => (
  <Chip state={row.processed ? 'done' : 'pending'}>
    {t(row.processed ? 'feedback.status.processed' : 'feedback.status.untreated')}
  </Chip>
);
