import type { NewsRow } from '../../../api/news/contract.ts';
import type { Target } from '../../lib/scope.ts';

/** A news item as commands aim at it. */
export const newsTarget = (row: NewsRow): Target<'news'> => ({
  entity: 'news',
  id: row.id,
  version: row.version,
  name: row.title,
  row,
});
