// Text that people approve must look like what is stored: nothing invisible, nothing that reverses the writing.

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** NFC, nothing invisible, no outer or double spaces. */
export const isShownName = (name: string): boolean =>
  name === name.normalize('NFC') && !unseen.test(name) && name === name.trim() && !name.includes('  ');

/** Allows line breaks and repeated spaces, and variation selectors for emoji. */
export const isShownText = (text: string): boolean =>
  text === text.normalize('NFC') && !/[\p{Cf}\p{Zl}\p{Zp}\u2800\u3164\u115f\u1160\uffa0]|(?!\n)\p{Cc}/u.test(text);
