import { and, desc, eq } from 'drizzle-orm';
import { languages, pickTextInLanguage, type Language } from '../../api/news/language.ts';
import { createFieldError } from '../platform/core/errors.ts';
import { createPublicList } from '../platform/records/public-list.ts';
import { phaseConditionOf, scheduledChangeTimes } from '../platform/records/schedule.ts';
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
export const publicNews = createPublicList<PublicNews, Language | null>({
  resource: 'news',
  shape: 2,
  order: news.time,
  id: news.id,
  ask: parseLanguage,
  read: async (tx, { asked, beyond, limit, now }) => {
    const newsRows = await tx
      .select()
      .from(news)
      .where(and(eq(news.shown, true), phaseConditionOf(news, 'current', now), beyond))
      .orderBy(desc(news.time), desc(news.id))
      .limit(limit);
    return newsRows.map((row) => {
      const { id, image, time } = row;
      const { title, description, link, language } = asked === null ? { ...row, language: null } : pickTextInLanguage(row, asked);
      const originalFields = { id, title, description, image, time: time.toISOString(), link };
      return { at: time, row: language === null ? originalFields : { ...originalFields, language } };
    });
  },
  schedule: scheduledChangeTimes(news),
});

/** Reads a Chinese or English language tag. Ignores Accept-Language, so that caches need no Vary. */
function parseLanguage(query: URLSearchParams): Language | null {
  const languageTag = query.get('language');
  if (languageTag === null) return null;
  const matchingLanguage = languages.find((language) => language.split('-')[0] === languageTag.split('-')[0]?.toLowerCase());
  if (!matchingLanguage || !/^[a-z]{2}(-[a-z0-9]{1,8})*$/i.test(languageTag)) throw createFieldError('language');
  return matchingLanguage;
}
