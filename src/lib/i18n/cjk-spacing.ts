import { t, type TextKey, type MessageValues } from './i18n.ts';

const edge = '\u2063'; // occurs in no text

const missingSpace = new RegExp(`(?<=\\p{sc=Han})${edge}(?=\\w)|(?<=[\\w%)])${edge}(?=\\p{sc=Han})`, 'gu');

/** Adds spaces between Latin and Chinese around a word of either language, as in 请输入 NFT 数量. */
export function tSpaced(key: TextKey, name: string, word: string, values: MessageValues = {}): string {
  return t(key, { ...values, [name]: `${edge}${word}${edge}` })
    .replace(missingSpace, ' ')
    .replaceAll(edge, '');
}
