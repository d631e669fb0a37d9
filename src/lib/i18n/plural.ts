import { groupDigits } from '../format.ts';

let rules: Intl.PluralRules | undefined;

/** `plural(1, 'row')` is "row", `plural(0, 'entry', 'entries')` is "entries". */
export function plural(count: number, one: string, other = `${one}s`): string {
  rules ??= new Intl.PluralRules('en-US');
  return rules.select(count) === 'one' ? one : other;
}

/** "1 row", "1,200 rows". */
export const countText = (count: number, one: string, other?: string): string =>
  `${groupDigits(count)} ${plural(count, one, other)}`;
