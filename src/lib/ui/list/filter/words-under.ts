import { tMaybe } from '../../../i18n/i18n.ts';

/** Values that have their words under a prefix: `deposits.status.created`. */
export const wordsUnder =
  (prefix: string) =>
  (value: string): string =>
    tMaybe(`${prefix}.${value}`) ?? value;
