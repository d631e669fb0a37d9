import { noticeFields, noticeRow } from '../../api/notices/contract.ts';
import { noticeFilters } from '../../api/notices/filters.ts';
import { requireActor, personOf } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countPublicChange } from '../platform/records/counters.ts';
import { createCrud } from '../platform/records/crud.ts';
import { createColumnWriter, createPresenter } from '../platform/records/named-columns.ts';
import { createPhaseCondition } from '../platform/records/schedule.ts';
import { setShown } from '../platform/records/shown.ts';
import { notices as table } from './tables.ts';

const records = createCrud({
  table,
  entity: 'notice',
  sorts: { createdAt: table.createdAt, updatedAt: table.updatedAt },
  filters: noticeFilters,
  filterConditions: { q: { part: table.content, in: table }, phase: createPhaseCondition(table) },
  present: createPresenter(noticeRow),
  schema: noticeRow,
  columnsOf: createColumnWriter(table, noticeFields),
  createdFields: (context, recordedRow) => {
    if (recordedRow) return { createdBy: null, creatorEmail: recordedRow.creatorEmail };
    return { createdBy: personOf(context)?.id ?? null, creatorEmail: requireActor(context).email };
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
