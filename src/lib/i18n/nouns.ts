import { groupDigits } from '../format.ts';
import { countText } from './plural.ts';

type Counted = (values: { count: number }) => string;

/** Words for records in a sentence, by count. */
export interface Nouns {
  /** "1 news item", "3 news items" */
  count: Counted;
  /** "this news item", "these 3 news items" */
  these: Counted;
  /** "news item", "3 news items" */
  noun: Counted;
}

/** `unit`: counted form, if the plural is irregular or missing: "3 entries", "3 pieces of feedback". */
export function nouns(noun: string, unit?: { one: string; other: string }): Nouns {
  const counted: Counted = ({ count }) => countText(count, unit?.one ?? noun, unit?.other);
  return {
    count: counted,
    these: ({ count }) => (count === 1 ? `this ${noun}` : `these ${counted({ count })}`),
    noun: ({ count }) => (count === 1 ? noun : counted({ count })),
  };
}

/** "该新闻", "这 3 条新闻", and "新闻" or " 3 条新闻" to follow a verb. */
export function measured(noun: string, measure: string): Nouns {
  const counted: Counted = ({ count }) => ` ${groupDigits(count)} ${measure}${noun}`;
  return {
    count: counted,
    these: ({ count }) => (count === 1 ? `该${noun}` : `这${counted({ count })}`),
    noun: ({ count }) => (count === 1 ? noun : counted({ count })),
  };
}
