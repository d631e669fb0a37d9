/** A text as a search compares it: no case, no full or half width, no invisible characters. The server's `folded` does the same. */
export const foldText = (text: string): string =>
  text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .trim();
