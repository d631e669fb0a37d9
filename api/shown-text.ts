// What a person reads must be what the machine compares: no letter that is not seen, none that turns the writing around.

/** Control, format and bidirectional characters, line ends, letters without a shape, and blanks that are no plain space. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** Whether a name is shown as it is: in NFC, nothing unseen, no space at either end or beside another. */
export const isShownName = (name: string): boolean =>
  name === name.normalize('NFC') && !unseen.test(name) && name === name.trim() && !name.includes('  ');

/** The same for a text that may have lines and spaces of its own. Variation selectors pass: emoji have them. */
export const isShownText = (text: string): boolean =>
  text === text.normalize('NFC') && !/[\p{Cf}\p{Zl}\p{Zp}\u2800\u3164\u115f\u1160\uffa0]|(?!\n)\p{Cc}/u.test(text);
