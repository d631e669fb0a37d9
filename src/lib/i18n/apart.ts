import { t, type TextKey, type Values } from './i18n.ts';

const edge = '\u2063'; // stands in no text

const isMissing = new RegExp(`(?<=\\p{sc=Han})${edge}(?=\\w)|(?<=[\\w%)])${edge}(?=\\p{sc=Han})`, 'gu');

/** A text around a word whose language it does not know: Latin letters stand apart from Chinese ones, as in 请输入 NFT 数量. */
export function tApart(key: TextKey, name: string, word: string, values: Values = {}): string {
  return t(key, { ...values, [name]: `${edge}${word}${edge}` })
    .replace(isMissing, ' ')
    .replaceAll(edge, '');
}
