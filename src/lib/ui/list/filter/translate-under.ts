import { tMaybe } from '../../../i18n/i18n.ts';

/** `deposits.status.created`. */
export const translateUnder =
  (prefix: string) =>
  (value: string): string =>
    tMaybe(`${prefix}.${value}`) ?? value;
