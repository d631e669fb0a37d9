import { noticeRow, type NoticeFields, type NoticeRow } from '../../api/notices/contract.ts';
import { noticeFilters } from '../../api/notices/filters.ts';
import { actorOf } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countPublicChange } from '../platform/records/counters.ts';
import { crud } from '../platform/records/crud.ts';
import { periodColumns, phaseCondition, presentPeriod } from '../platform/records/schedule.ts';
import { setShown } from '../platform/records/shown.ts';
import { notices as table } from './tables.ts';

const records = crud({
  table,
  entity: 'notice',
  sorts: { createdAt: table.createdAt, updatedAt: table.updatedAt },
  filters: noticeFilters,
  filterConditions: {
    q: { part: table.content, in: table },
    shown: table.shown,
    platform: table.platform,
    phase: phaseCondition(table),
    createdAt: table.createdAt,
  },
  present,
  schema: noticeRow,
  columnsOf: ({ content, link, platform, ...period }: NoticeFields) => ({
    content,
    link,
    platform,
    ...periodColumns(period),
  }),
  createdFields: (context, recorded) => {
    if (recorded) return { createdBy: null, creatorEmail: recorded.creatorEmail };
    const { id: createdBy, email: creatorEmail } = actorOf(context);
    return { createdBy, creatorEmail };
  },
  changed: countPublicChange('notices'),
});

export const notices = {
  list: guardedApi.notices.list.handler(records.list),
  values: guardedApi.notices.values.handler(records.values),
  matching: guardedApi.notices.matching.handler(records.matching),
  many: guardedApi.notices.many.handler(records.many),
  bin: guardedApi.notices.bin.handler(records.bin),
  history: guardedApi.notices.history.handler(records.history),
  versions: guardedApi.notices.versions.handler(records.versions),
  add: guardedApi.notices.add.handler(records.add),
  edit: guardedApi.notices.edit.handler(records.edit),
  show: guardedApi.notices.show.handler(setShown(records.resource, true)),
  hide: guardedApi.notices.hide.handler(setShown(records.resource, false)),
  remove: guardedApi.notices.remove.handler(records.remove),
  restore: guardedApi.notices.restore.handler(records.restore),
};

function present(row: typeof table.$inferSelect): NoticeRow {
  return {
    id: row.id,
    version: row.version,
    content: row.content,
    link: row.link,
    platform: row.platform,
    shown: row.shown,
    ...presentPeriod(row),
    creatorEmail: row.creatorEmail,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
