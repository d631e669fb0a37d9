/** A text as a search compares it: no case, no full or half width, no invisible characters. The server's `folded` does the same. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, '')
    .trim();
