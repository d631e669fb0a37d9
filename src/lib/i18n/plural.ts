import { groupDigits } from '../format.ts';

let rules: Intl.PluralRules | undefined;

/** `plural(1, 'row')` is "row", `plural(0, 'entry', 'entries')` is "entries". */
export function pluralForm(count: number, singular: string, pluralText = `${singular}s`): string {
  rules ??= new Intl.PluralRules('en-US');
  return rules.select(count) === 'one' ? singular : pluralText;
}

/** "1 row", "1,200 rows". */
export const countText = (count: number, singular: string, pluralText?: string): string =>
  `${groupDigits(count)} ${pluralForm(count, singular, pluralText)}`;
