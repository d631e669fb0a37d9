import { and, gt, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { phases, type Phase } from '../../api/notices/values.ts';
import { noticeRow, type NoticeFields, type NoticeRow } from '../../api/notices/contract.ts';
import type { Condition } from '../../api/filter.ts';
import { noticeFilters } from '../../api/notices/filters.ts';
import { actorOf, type RequestContext } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countPublicChange } from '../platform/records/counters.ts';
import { chosenValues } from '../platform/records/filter.ts';
import { crud } from '../platform/records/crud.ts';
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
    phase: inPhases,
    createdAt: table.createdAt,
  },
  present,
  schema: noticeRow,
  columnsOf: ({ content, link, platform, startsAt, endsAt }: NoticeFields) => ({
    content,
    link,
    platform,
    startsAt: startsAt === null ? null : new Date(startsAt),
    endsAt: endsAt === null ? null : new Date(endsAt),
  }),
  made: (context, recorded) => {
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
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
    creatorEmail: row.creatorEmail,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function inPhases(condition: Condition, { services }: RequestContext): SQL | undefined {
  const chosen = chosenValues(condition, phases);
  return or(...chosen.map((phase) => isIn(phase, new Date(services.now())))) ?? sql`false`;
}

function isIn(phase: Phase, now: Date): SQL | undefined {
  if (phase === 'over') return lte(table.endsAt, now);
  const isOpen = or(isNull(table.endsAt), gt(table.endsAt, now));
  return phase === 'scheduled'
    ? and(isOpen, gt(table.startsAt, now))
    : and(isOpen, or(isNull(table.startsAt), lte(table.startsAt, now)));
}
