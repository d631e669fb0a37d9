import { tMaybe } from '../../i18n/i18n.ts';

/** Why something was refused, of an error code or the rule behind it. For readers of records, not for the person. */
export const refusalText = (code: string): string | null => tMaybe(`record.refused.${code}`) ?? tMaybe(`errors.code.${code}`);
