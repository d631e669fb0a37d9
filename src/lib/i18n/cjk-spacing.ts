import { t, type TextKey, type MessageValues } from './i18n.ts';

const edgeMark = '\u2063'; // occurs in no text

const missingSpace = new RegExp(`(?<=\\p{sc=Han})${edgeMark}(?=\\w)|(?<=[\\w%)])${edgeMark}(?=\\p{sc=Han})`, 'gu');

/** Adds spaces between Latin and Chinese around a word of either language, as in 请输入 NFT 数量. */
export function tSpaced(key: TextKey, name: string, valueName: string, values: MessageValues = {}): string {
  return t(key, { ...values, [name]: `${edgeMark}${valueName}${edgeMark}` })
    .replace(missingSpace, ' ')
    .replaceAll(edgeMark, '');
}
