import type { NewsRow } from '../../api/news/contract.ts';
import { apiFailure, on } from './api.ts';
import { build } from '../../testing/factories/build.ts';

const titles = [
  'YBTC 主网铸造额突破 2,000 枚',
  '稳定池第三季度收益分配完成',
  'CRSM 自动再平衡功能上线',
  '清算机制参数调整公告',
  '第二次合约安全审计报告发布',
  'YU 在三条新网络上可用',
  '机构托管合作伙伴新增两家',
  '队长赛季第四轮开始',
  'NFT 空投第二阶段快照完成',
  '储备证明页面改版',
  '社区治理提案 014 通过',
  '谨防仿冒网站与私信',
];

const newest = Date.UTC(2026, 9, 1, 8);
const hour = 3_600_000;

/** Newest first, three of four shown. `fields`: differences from the default. */
export const newsOf = <T>(each: readonly T[], fields: (one: T, index: number) => Partial<NewsRow>): NewsRow[] =>
  each.map((one, index) => {
    const time = new Date(newest - index * 5 * hour).toISOString();
    return build.news({
      id: `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`,
      description: '全部存款均可在比特币链上查验。',
      image: `${location.origin}/favicon.svg`,
      time,
      link: `https://www.example.com/news/${index}`,
      shown: index % 4 !== 3,
      createdAt: time,
      updatedAt: time,
      ...fields(one, index),
    });
  });

/** 36 items: each title three times, numbered from the second on. */
const demoNews = (): NewsRow[] =>
  newsOf(
    [1, 2, 3].flatMap((round) => titles.map((title) => (round > 1 ? `${title}（${round}）` : title))),
    (title) => ({ title }),
  );

let rows: NewsRow[] = [];

/** Newest first. */
export const newsHeld = (): readonly NewsRow[] => rows;

export function publishNews(title: string): void {
  const [first] = rows;
  if (!first) throw new Error('there are no news to copy one from');
  const time = new Date(Date.parse(first.time) + 24 * hour).toISOString();
  rows = [{ ...first, id: crypto.randomUUID(), title, time, shown: false }, ...rows];
}

type Item = { id: string; version: number };

function split(items: readonly Item[]): { fit: NewsRow[]; failed: { id: string; code: 'CONFLICT' | 'NOT_FOUND' }[] } {
  const fit: NewsRow[] = [];
  const failed: { id: string; code: 'CONFLICT' | 'NOT_FOUND' }[] = [];
  for (const { id, version } of items) {
    const row = rows.find((each) => each.id === id);
    if (row?.version === version) fit.push(row);
    else failed.push({ id, code: row ? 'CONFLICT' : 'NOT_FOUND' });
  }
  if (fit.length === 0 && failed[0]) throw apiFailure(failed[0].code);
  return { fit, failed };
}

function setShown(items: readonly Item[], shown: boolean) {
  const { fit, failed } = split(items);
  const done = fit.map((row) => ({ ...row, shown, version: row.version + 1 }));
  rows = rows.map((row) => done.find(({ id }) => id === row.id) ?? row);
  return { done, failed };
}

export function newsRoutes(provided = demoNews()) {
  rows = provided;
  return {
    list: on.news.list.handler(({ input: { filter, cursor, limit, direction } }) => {
      const fits = rows.filter(
        ({ title, translatedTitle, shown }) =>
          `${title} ${translatedTitle ?? ''}`.toLowerCase().includes((filter.q ?? '').toLowerCase()) &&
          (filter.shown === undefined || String(shown) === filter.shown),
      );
      const ordered = direction === 'desc' ? fits : fits.toReversed();
      const from = cursor === null ? 0 : Number(cursor);
      const next = from + limit;
      return {
        rows: ordered.slice(from, next),
        nextCursor: next < ordered.length ? String(next) : null,
        prevCursor: from > 0 ? String(Math.max(0, from - limit)) : null,
        count: cursor === null ? { value: ordered.length, kind: 'exact' as const } : null,
      };
    }),
    matching: on.news.matching.handler(({ input: { filter } }) => ({
      seal: 'sealed',
      items: rows
        .filter(({ shown }) => filter.shown === undefined || String(shown) === filter.shown)
        .map(({ id, version }) => ({ id, version })),
    })),
    values: on.news.values.handler(({ input: { field } }) => ({
      values:
        field === 'shown'
          ? ['true', 'false'].map((value) => ({ value, count: rows.filter(({ shown }) => String(shown) === value).length }))
          : [],
    })),
    many: on.news.many.handler(({ input: { ids } }) => ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])),
    history: on.news.history.handler(() => ({ entries: [], next: null })),
    add: on.news.add.handler(({ input }) => {
      const time = new Date(input.time).toISOString();
      const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
      const row = build.news({ ...given, time, createdAt: time, updatedAt: time });
      rows = [row, ...rows].toSorted((a, b) => b.time.localeCompare(a.time));
      return row;
    }),
    show: on.news.show.handler(({ input: { items } }) => setShown(items, true)),
    hide: on.news.hide.handler(({ input: { items } }) => setShown(items, false)),
    remove: on.news.remove.handler(({ input: { items } }) => {
      const { fit, failed } = split(items);
      rows = rows.filter((row) => !fit.includes(row));
      return { done: fit.map(({ id }) => ({ id, entry: id })), failed };
    }),
  };
}
