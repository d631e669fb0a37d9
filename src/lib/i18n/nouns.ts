import { groupDigits } from '../format.ts';
import { countText } from './plural.ts';

type CountText = (values: { count: number }) => string;

/** Words for records in a sentence, by count. */
export interface Nouns {
  /** "1 news item", "3 news items" */
  count: CountText;
  /** "this news item", "these 3 news items" */
  these: CountText;
  /** "news item", "3 news items" */
  noun: CountText;
}

/** `unit`: counted form, if the plural is irregular or missing: "3 entries", "3 pieces of feedback". */
export function createNouns(noun: string, unit?: { one: string; other: string }): Nouns {
  const formatCount: CountText = ({ count }) => countText(count, unit?.one ?? noun, unit?.other);
  return {
    count: formatCount,
    these: ({ count }) => (count === 1 ? `this ${noun}` : `these ${formatCount({ count })}`),
    noun: ({ count }) => (count === 1 ? noun : formatCount({ count })),
  };
}

/** "该新闻", "这 3 条新闻", and "新闻" or " 3 条新闻" to follow a verb. */
export function createMeasuredNouns(noun: string, measure: string): Nouns {
  const formatCount: CountText = ({ count }) => ` ${groupDigits(count)} ${measure}${noun}`;
  return {
    count: formatCount,
    these: ({ count }) => (count === 1 ? `该${noun}` : `这${formatCount({ count })}`),
    noun: ({ count }) => (count === 1 ? noun : formatCount({ count })),
  };
}
