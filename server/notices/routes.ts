import { noticeFields, noticeRow } from '../../api/notices/contract.ts';
import { noticeFilters } from '../../api/notices/filters.ts';
import { actorOf, personOf } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countPublicChange } from '../platform/records/counters.ts';
import { crud } from '../platform/records/crud.ts';
import { columnsFrom, presentAs } from '../platform/records/named-columns.ts';
import { phaseCondition } from '../platform/records/schedule.ts';
import { setShown } from '../platform/records/shown.ts';
import { notices as table } from './tables.ts';

const records = crud({
  table,
  entity: 'notice',
  sorts: { createdAt: table.createdAt, updatedAt: table.updatedAt },
  filters: noticeFilters,
  filterConditions: { q: { part: table.content, in: table }, phase: phaseCondition(table) },
  present: presentAs(noticeRow),
  schema: noticeRow,
  columnsOf: columnsFrom(table, noticeFields),
  createdFields: (context, recorded) => {
    if (recorded) return { createdBy: null, creatorEmail: recorded.creatorEmail };
    return { createdBy: personOf(context)?.id ?? null, creatorEmail: actorOf(context).email };
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
