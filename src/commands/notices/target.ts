import type { NoticeRow } from '../../../api/notices/contract.ts';
import type { Target } from '../../lib/scope.ts';

/** A notice as commands aim at it. */
export const noticeTarget = (row: NoticeRow): Target<'notices'> => ({
  entity: 'notices',
  id: row.id,
  version: row.version,
  name: row.content,
  row,
});
