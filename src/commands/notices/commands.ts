import { platforms } from '../../../api/notices/values.ts';
import { noticeNames } from '../../../api/notices/names.ts';
import type { NoticeRow } from '../../../api/notices/contract.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { call, defineCommand, many, no, none, one, type Done } from '../engine/define.ts';
import { choice, maybeTime, multiline, params, recordParams, url } from '../engine/fields.ts';
import { restoring, versionOf } from '../engine/restore.ts';

addNames(noticeNames);

const place = '/notices';
const noticeSchema = () => import('../../../api/notices/contract.ts').then(({ noticeFields }) => noticeFields);

const fields = {
  content: multiline('notices.field.content'),
  link: url('notices.field.link'),
  platform: choice(
    'notices.field.platform',
    platforms.map((value) => ({ value, label: `notices.platform.${value}` as const })),
  ),
  startsAt: maybeTime('notices.field.startsAt', 'notices.hint.startsAt'),
  endsAt: maybeTime('notices.field.endsAt', 'notices.hint.endsAt'),
} as const;

/** The five values a person fills in, of a row. */
const fieldsOf = ({ content, link, platform, startsAt, endsAt }: NoticeRow) => ({ content, link, platform, startsAt, endsAt });

const versioned = (rows: readonly { id: string; version: number }[]) => rows.map(({ id, version }) => ({ id, version }));

export const notices = [
  defineCommand({
    id: 'notices.add',
    permission: 'notices.add',
    icon: 'plus',
    place,
    target: none,
    params: params(noticeSchema, fields, () => ({ platform: 'all', startsAt: null, endsAt: null })),
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.notices.add(values),
    done: (row): Done => ({ stale: ['notices'], undo: call('notices.delete', { targets: versioned([row]) }) }),
  }),
  defineCommand({
    id: 'notices.edit',
    permission: 'notices.edit',
    icon: 'pencil',
    place,
    target: one('notices'),
    params: recordParams('notices', noticeSchema, fields, fieldsOf),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets: [target], params: values }) => {
      if (!target) throw new Error('notices.edit runs on one notice');
      const row = await api.notices.edit({ ...values, id: target.id, version: target.version });
      return { row, before: fieldsOf(target.row) };
    },
    done: ({ row, before }): Done => ({
      stale: ['notices'],
      undo: call('notices.edit', { targets: versioned([row]), params: before }),
    }),
  }),
  defineCommand({
    id: 'notices.show',
    permission: 'notices.show',
    icon: 'eye',
    place,
    target: many('notices', { max: 200, batches: true }),
    params: null,
    when: ({ targets }) => targets.some(({ row }) => !row.shown) || no('notices.blocked.shown'),
    danger: 'reversible',
    confirm: true,
    keys: ['s'],
    run: ({ api, targets }) => api.notices.show({ items: versioned(targets.filter(({ row }) => !row.shown)) }),
    done: ({ done, failed }): Done => ({
      stale: ['notices'],
      failed,
      undo: call('notices.hide', { targets: versioned(done) }),
    }),
  }),
  defineCommand({
    id: 'notices.hide',
    permission: 'notices.hide',
    icon: 'eye-off',
    place,
    target: many('notices', { max: 200, batches: true }),
    params: null,
    when: ({ targets }) => targets.some(({ row }) => row.shown) || no('notices.blocked.hidden'),
    danger: 'reversible',
    confirm: true,
    keys: ['h'],
    run: ({ api, targets }) => api.notices.hide({ items: versioned(targets.filter(({ row }) => row.shown)) }),
    done: ({ done, failed }): Done => ({
      stale: ['notices'],
      failed,
      undo: call('notices.show', { targets: versioned(done) }),
    }),
  }),
  defineCommand({
    id: 'notices.delete',
    permission: 'notices.delete',
    icon: 'trash-2',
    place,
    target: many('notices', { max: 200, batches: true }),
    params: null,
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => api.notices.remove({ items: versioned(targets) }),
    done: ({ failed }): Done => ({ stale: ['notices'], failed }),
  }),
  defineCommand({
    ...restoring('notice', Object.keys(fields)),
    id: 'notices.restore',
    permission: 'notices.restore',
    place,
    run: async ({ api, targets }) => {
      const { asked, current } = versionOf(targets);
      return { row: await api.notices.restore(asked), current };
    },
    done: ({ row, current }): Done => ({
      stale: ['notices', 'audit'],
      undo:
        current === null
          ? call('notices.delete', { targets: versioned([row]) })
          : call('notices.edit', { targets: versioned([row]), params: fieldsOf(current as unknown as NoticeRow) }),
    }),
  }),
  defineCommand({
    id: 'notices.preview',
    permission: place,
    icon: 'monitor-smartphone',
    place,
    target: one('notices'),
    params: null,
    danger: 'none',
    passing: true,
    keys: ['p'],
    run: ({ ui, targets: [target] }) => {
      if (target) ui.navigate(`/notices?preview=${target.id}`);
    },
  }),
  defineCommand({
    id: 'notices.open',
    permission: place,
    icon: 'book-open',
    place,
    target: one('notices'),
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui, targets: [target] }) => {
      if (target) ui.openRecord(place, target.id);
    },
  }),
];
