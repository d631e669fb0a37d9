export const languages = ['zh-CN', 'en-US'] as const;
export type Language = (typeof languages)[number];

/** Must match the character range in the index `news_coverage`. */
const chinesePattern = /[\u4e00-\u9fff]/;

export const detectLanguage = ({ title, description }: { title: string; description: string }): Language =>
  chinesePattern.test(title) || chinesePattern.test(description) ? 'zh-CN' : 'en-US';

/** `both`: has a translation. */
export const coverages = ['both', ...languages] as const;

interface Texts {
  title: string;
  description: string;
  link: string;
  language: Language | null;
  translatedTitle: string | null;
  translatedDescription: string | null;
  translatedLink: string | null;
}

/** The text in `language`, or the original text if there is no translation. */
export function pickTextInLanguage(row: Texts, language: Language) {
  const originalLanguage = row.language ?? detectLanguage(row);
  return originalLanguage === language || row.translatedTitle === null
    ? { language: originalLanguage, title: row.title, description: row.description, link: row.link }
    : {
        language,
        title: row.translatedTitle,
        description: row.translatedDescription ?? row.description,
        link: row.translatedLink ?? row.link,
      };
}
