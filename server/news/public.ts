import { and, desc, eq } from 'drizzle-orm';
import { languages, textIn, type Language } from '../../api/news/language.ts';
import { badField } from '../platform/core/errors.ts';
import { publicList } from '../platform/records/public-list.ts';
import { inPhase, scheduledChanges } from '../platform/records/schedule.ts';
import { news } from './tables.ts';

export interface PublicNews {
  id: string;
  title: string;
  description: string;
  image: string | null;
  time: string;
  link: string;
  /** Language of the texts. Present only if the query names a language. */
  language?: Language;
}

/** Currently shown items, newest first, in the requested language, or else in the original. */
export const publicNews = publicList<PublicNews, Language | null>({
  resource: 'news',
  shape: 2,
  order: news.time,
  id: news.id,
  ask: languageOf,
  read: async (tx, { asked, beyond, limit, now }) => {
    const found = await tx
      .select()
      .from(news)
      .where(and(eq(news.shown, true), inPhase(news, 'current', now), beyond))
      .orderBy(desc(news.time), desc(news.id))
      .limit(limit);
    return found.map((row) => {
      const { id, image, time } = row;
      const { title, description, link, language } = asked === null ? { ...row, language: null } : textIn(row, asked);
      const texts = { id, title, description, image, time: time.toISOString(), link };
      return { at: time, row: language === null ? texts : { ...texts, language } };
    });
  },
  schedule: scheduledChanges(news),
});

/** Reads a Chinese or English language tag. Ignores Accept-Language, so that caches need no Vary. */
function languageOf(query: URLSearchParams): Language | null {
  const tag = query.get('language');
  if (tag === null) return null;
  const found = languages.find((language) => language.split('-')[0] === tag.split('-')[0]?.toLowerCase());
  if (!found || !/^[a-z]{2}(-[a-z0-9]{1,8})*$/i.test(tag)) throw badField('language');
  return found;
}
