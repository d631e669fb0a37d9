import type { NewsRow } from '../../api/news/contract.ts';
import { apiFailure, mockRoutes } from './api.ts';
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

const newestTime = Date.UTC(2026, 9, 1, 8);
const hour = 3_600_000;

/** Newest first, three of four shown. `fields`: differences from the default. */
export const buildNews = <T>(items: readonly T[], fields: (item: T, index: number) => Partial<NewsRow>): NewsRow[] =>
  items.map((item, index) => {
    const time = new Date(newestTime - index * 5 * hour).toISOString();
    return build.news({
      id: `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`,
      description: '全部存款均可在比特币链上查验。',
      image: `${location.origin}/favicon.svg`,
      time,
      link: `https://www.example.com/news/${index}`,
      shown: index % 4 !== 3,
      createdAt: time,
      updatedAt: time,
      ...fields(item, index),
    });
  });

/** 36 items: each title three times, numbered from the second on. */
const demoNews = (): NewsRow[] =>
  buildNews(
    [1, 2, 3].flatMap((titleRound) => titles.map((title) => (titleRound > 1 ? `${title}（${titleRound}）` : title))),
    (title) => ({ title }),
  );

let rows: NewsRow[] = [];

/** Newest first. */
export const countNews = (): readonly NewsRow[] => rows;

export function publishNews(title: string): void {
  const [firstRow] = rows;
  if (!firstRow) throw new Error('there are no news to copy one from');
  const time = new Date(Date.parse(firstRow.time) + 24 * hour).toISOString();
  rows = [{ ...firstRow, id: crypto.randomUUID(), title, time, shown: false }, ...rows];
}

type VersionedItem = { id: string; version: number };

function splitItems(items: readonly VersionedItem[]): {
  fit: NewsRow[];
  failed: { id: string; code: 'CONFLICT' | 'NOT_FOUND' }[];
} {
  const matching: NewsRow[] = [];
  const failures: { id: string; code: 'CONFLICT' | 'NOT_FOUND' }[] = [];
  for (const { id, version } of items) {
    const row = rows.find((existing) => existing.id === id);
    if (row?.version === version) matching.push(row);
    else failures.push({ id, code: row ? 'CONFLICT' : 'NOT_FOUND' });
  }
  if (matching.length === 0 && failures[0]) throw apiFailure(failures[0].code);
  return { fit: matching, failed: failures };
}

function setShown(items: readonly VersionedItem[], shown: boolean) {
  const { fit, failed } = splitItems(items);
  const changedRows = fit.map((row) => ({ ...row, shown, version: row.version + 1 }));
  rows = rows.map((row) => changedRows.find(({ id }) => id === row.id) ?? row);
  return { done: changedRows, failed };
}

export function newsRoutes(initialRows = demoNews()) {
  rows = initialRows;
  return {
    list: mockRoutes.news.list.handler(({ input: { filter, cursor, limit, direction } }) => {
      const matchingRows = rows.filter(
        ({ title, translatedTitle, shown }) =>
          `${title} ${translatedTitle ?? ''}`.toLowerCase().includes((filter.q ?? '').toLowerCase()) &&
          (filter.shown === undefined || String(shown) === filter.shown),
      );
      const orderedRows = direction === 'desc' ? matchingRows : matchingRows.toReversed();
      const from = cursor === null ? 0 : Number(cursor);
      const nextOffset = from + limit;
      return {
        rows: orderedRows.slice(from, nextOffset),
        nextCursor: nextOffset < orderedRows.length ? String(nextOffset) : null,
        prevCursor: from > 0 ? String(Math.max(0, from - limit)) : null,
        count: cursor === null ? { value: orderedRows.length, kind: 'exact' as const } : null,
      };
    }),
    matching: mockRoutes.news.matching.handler(({ input: { filter } }) => ({
      seal: 'sealed',
      items: rows
        .filter(({ shown }) => filter.shown === undefined || String(shown) === filter.shown)
        .map(({ id, version }) => ({ id, version })),
    })),
    values: mockRoutes.news.values.handler(({ input: { field } }) => ({
      values:
        field === 'shown'
          ? ['true', 'false'].map((value) => ({ value, count: rows.filter(({ shown }) => String(shown) === value).length }))
          : [],
    })),
    many: mockRoutes.news.many.handler(({ input: { ids } }) => ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])),
    history: mockRoutes.news.history.handler(() => ({ entries: [], next: null })),
    add: mockRoutes.news.add.handler(({ input }) => {
      const time = new Date(input.time).toISOString();
      const definedInput = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
      const row = build.news({ ...definedInput, time, createdAt: time, updatedAt: time });
      rows = [row, ...rows].toSorted((a, b) => b.time.localeCompare(a.time));
      return row;
    }),
    show: mockRoutes.news.show.handler(({ input: { items } }) => setShown(items, true)),
    hide: mockRoutes.news.hide.handler(({ input: { items } }) => setShown(items, false)),
    remove: mockRoutes.news.remove.handler(({ input: { items } }) => {
      const { fit, failed } = splitItems(items);
      rows = rows.filter((row) => !fit.includes(row));
      return { done: fit.map(({ id }) => ({ id, entry: id })), failed };
    }),
  };
}
