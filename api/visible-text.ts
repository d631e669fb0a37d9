// Invisible or reversing characters would show people other text than is stored.

const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

export const isVisibleName = (name: string): boolean =>
  name === name.normalize('NFC') && !invisibleCharacters.test(name) && name === name.trim() && !name.includes('  ');

export const isVisibleText = (text: string): boolean =>
  text === text.normalize('NFC') && !/[\p{Cf}\p{Zl}\p{Zp}\u2800\u3164\u115f\u1160\uffa0]|(?!\n)\p{Cc}/u.test(text);
