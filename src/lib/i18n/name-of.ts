import { names, type CommandId } from '../../../api/names.ts';
import { inLocale } from './i18n.ts';

/** The command's name in the page's language. Apart from `t`, so that the sign-in page does not load every name. */
export const nameOf = (id: CommandId): string => inLocale(names[id]);
