import type { NewsRow } from '../../../api/news/contract.ts';
import { newsNames } from '../../../api/news/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { call, defineCommand, many, no, none, one, type Done } from '../engine/define.ts';
import { multiline, params, picks, picture, recordParams, text, time, url } from '../engine/fields.ts';
import { formatTime } from '../../lib/format.ts';
import { restoring, versionOf } from '../engine/restore.ts';

addNames(newsNames);

const place = '/news';
const newsSchema = () => import('../../../api/news/contract.ts').then(({ newsFields }) => newsFields);

const fields = {
  title: text('news.field.title'),
  description: multiline('news.field.description'),
  image: picture('news.field.image'),
  time: time('news.field.time'),
  link: url('news.field.link'),
} as const;

/** The five values a person fills in, of a row. */
const fieldsOf = ({ title, description, image, time: at, link }: NewsRow) => ({
  title,
  description,
  image: image ?? '',
  time: at,
  link,
});

/** What restoring brings back; whether it is shown stays a decision of its own. */
const restored = ['title', 'description', 'image', 'time', 'link'] as const;

const versioned = (rows: readonly { id: string; version: number }[]) => rows.map(({ id, version }) => ({ id, version }));

export const news = [
  defineCommand({
    id: 'news.add',
    permission: 'news.add',
    icon: 'plus',
    place,
    target: none,
    params: params(newsSchema, fields, ({ now }) => ({ time: now.toISOString() })),
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.news.add(values),
    done: (row): Done => ({ stale: ['news'], undo: call('news.delete', { targets: versioned([row]) }) }),
  }),
  defineCommand({
    id: 'news.edit',
    permission: 'news.edit',
    icon: 'pencil',
    place,
    target: one('news'),
    params: recordParams('news', newsSchema, fields, fieldsOf),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets: [target], params: values }) => {
      if (!target) throw new Error('news.edit runs on one news');
      const row = await api.news.edit({ ...values, id: target.id, version: target.version });
      return { row, before: fieldsOf(target.row) };
    },
    done: ({ row, before }): Done => ({
      stale: ['news'],
      undo: call('news.edit', { targets: versioned([row]), params: before }),
    }),
  }),
  defineCommand({
    id: 'news.show',
    permission: 'news.show',
    icon: 'eye',
    place,
    target: many('news', { max: 200, batches: true }),
    params: null,
    when: ({ targets }) =>
      targets.every(({ row }) => row.shown)
        ? no('news.blocked.shown')
        : targets.some(({ row }) => !row.shown && !row.image)
          ? no('news.blocked.noImage')
          : true,
    danger: 'reversible',
    confirm: true,
    keys: ['s'],
    run: ({ api, targets }) => api.news.show({ items: versioned(targets.filter(({ row }) => !row.shown)) }),
    done: ({ done, failed }): Done => ({ stale: ['news'], failed, undo: call('news.hide', { targets: versioned(done) }) }),
  }),
  defineCommand({
    id: 'news.hide',
    permission: 'news.hide',
    icon: 'eye-off',
    place,
    target: many('news', { max: 200, batches: true }),
    params: null,
    when: ({ targets }) => targets.some(({ row }) => row.shown) || no('news.blocked.hidden'),
    danger: 'reversible',
    confirm: true,
    keys: ['h'],
    run: ({ api, targets }) => api.news.hide({ items: versioned(targets.filter(({ row }) => row.shown)) }),
    done: ({ done, failed }): Done => ({ stale: ['news'], failed, undo: call('news.show', { targets: versioned(done) }) }),
  }),
  defineCommand({
    id: 'news.delete',
    permission: 'news.delete',
    icon: 'trash-2',
    place,
    target: many('news', { max: 200, batches: true }),
    params: null,
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => api.news.remove({ items: versioned(targets) }),
    done: ({ failed }): Done => ({ stale: ['news'], failed }),
  }),
  defineCommand({
    ...restoring('news', restored),
    id: 'news.restore',
    permission: 'news.restore',
    place,
    run: async ({ api, targets }) => {
      const { asked, current } = versionOf(targets);
      return { row: await api.news.restore(asked), current };
    },
    done: ({ row, current }): Done => ({
      stale: ['news', 'audit'],
      undo:
        current === null
          ? call('news.delete', { targets: versioned([row]) })
          : call('news.edit', { targets: versioned([row]), params: fieldsOf(current as unknown as NewsRow) }),
    }),
  }),
  defineCommand({
    id: 'news.get',
    permission: 'news.get',
    icon: 'rss',
    place,
    target: none,
    params: params(() => import('../../../api/news/contract.ts').then(({ newsPicks }) => newsPicks), {
      ids: picks('news.field.feedItems', 'news.feedEmpty', async ({ api, signal }) => {
        const { items } = await api.news.feed(undefined, { signal });
        return items.map(({ id, title, feed, time: at, known }) => ({
          value: id,
          label: title,
          note: `${feed} · ${formatTime(at)}`,
          ...(known ? { blocked: 'news.known' as const } : {}),
        }));
      }),
    }),
    danger: 'reversible',
    keys: ['i'],
    run: ({ api, params: { ids } }) => api.news.import({ ids }),
    done: ({ done }): Done => ({
      stale: ['news'],
      toast: { key: 'news.imported', values: { count: done.length } },
      ...(done.length > 0 ? { undo: call('news.delete', { targets: versioned(done) }) } : {}),
    }),
  }),
  defineCommand({
    id: 'news.open',
    permission: '/news',
    icon: 'book-open',
    place,
    target: one('news'),
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui, targets: [target] }) => {
      if (target) ui.openRecord(place, target.id);
    },
  }),
  defineCommand({
    id: 'news.copyImage',
    permission: '/news',
    icon: 'image',
    place,
    target: one('news'),
    params: null,
    danger: 'none',
    passing: true,
    keys: ['shift+y'],
    when: ({ targets: [target] }) => Boolean(target?.row.image) || no('news.blocked.noImage'),
    run: ({ ui, targets: [target] }) => ui.copy(target?.row.image ?? ''),
    done: (): Done => ({ toast: { key: 'common.copied' } }),
  }),
];
