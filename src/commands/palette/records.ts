import { useEffect, useState } from 'react';
import type { CommandId } from '../../../api/names.ts';
import { api, type Api } from '../../lib/client.ts';
import type { Target } from '../../lib/scope.ts';
import { crsmTarget } from '../crsm-target.ts';
import { feedbackTarget } from '../feedback-target.ts';
import { newsTarget } from '../news-target.ts';
import { noticeTarget } from '../notice-target.ts';

/** Where records are searched for, and the command that opens one. */
interface Searcher {
  open: CommandId;
  find: (api: Api, query: string, signal: AbortSignal) => Promise<Target[]>;
}

export const searchers: readonly Searcher[] = [
  {
    open: 'crsm.open',
    find: async (client, q, signal) => {
      if (!/^0x/i.test(q)) return []; // by address: a number may be anything
      const page = await client.crsm.list(
        { sort: 'distance', direction: 'asc', filter: { q }, cursor: null, limit: 5 },
        { signal },
      );
      return page.rows.map(crsmTarget);
    },
  },
  {
    open: 'feedback.open',
    find: async (client, q, signal) => {
      const filter = q.includes('@') ? { email: q } : { q };
      const page = await client.feedback.list(
        { sort: 'createdAt', direction: 'desc', filter, cursor: null, limit: 5 },
        { signal },
      );
      return page.rows.map(feedbackTarget);
    },
  },
  {
    open: 'news.open',
    find: async (client, q, signal) => {
      const page = await client.news.list({ sort: 'time', direction: 'desc', filter: { q }, cursor: null, limit: 5 }, { signal });
      return page.rows.map(newsTarget);
    },
  },
  {
    open: 'notices.open',
    find: async (client, q, signal) => {
      const page = await client.notices.list(
        { sort: 'createdAt', direction: 'desc', filter: { q }, cursor: null, limit: 5 },
        { signal },
      );
      return page.rows.map(noticeTarget);
    },
  },
];

const pause = 120; // ms of quiet before the server is asked
const shortest = 2;

export interface FoundRecord {
  target: Target;
  open: CommandId;
}

/** Records that fit the query, from the server. Those of an older query are dropped, never shown under a newer one. */
export function useRecords(query: string, mayOpen: (id: CommandId) => boolean): readonly FoundRecord[] {
  const [found, setFound] = useState<{ query: string; records: readonly FoundRecord[] }>({ query: '', records: [] });
  const asked = query.trim();
  useEffect(() => {
    if (asked.length < shortest) return;
    const aborter = new AbortController();
    const timer = setTimeout(() => {
      for (const searcher of searchers.filter(({ open }) => mayOpen(open))) {
        searcher
          .find(api, asked, aborter.signal)
          .then((targets) => {
            const records = targets.map((target) => ({ target, open: searcher.open }));
            setFound((before) => ({ query: asked, records: before.query === asked ? [...before.records, ...records] : records }));
          })
          .catch(() => {}); // the commands are there all the same
      }
    }, pause);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [asked, mayOpen]);
  return found.query === asked ? found.records : [];
}
