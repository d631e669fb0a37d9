import { matchPinyin } from '../../../../lib/pinyin/match.ts';
import { normalizeQuery } from './search.ts';

const hasChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** Whether a query that found a command names one of its options, such as `dark` or `shense` for the theme. */
export function isOptionInQuery({ value, label }: { value: string; label: string }, query: string): boolean {
  const foldedQuery = normalizeQuery(query);
  const foldedLabel = normalizeQuery(label);
  if (hasChinese(foldedLabel) && foldedQuery.includes(foldedLabel)) return true;
  const words = foldedQuery.split(' ').filter((word) => word.length > 1 || hasChinese(word));
  return words.some(
    (word) =>
      value.toLowerCase() === word ||
      foldedLabel.startsWith(word) ||
      (/^[a-z]+$/.test(word) && matchPinyin([...foldedLabel], word)?.[0] === 0),
  );
}
