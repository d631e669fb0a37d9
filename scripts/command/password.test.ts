import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { promptPassword } from './password.ts';

function enterKeys(keys: string): Promise<string> {
  const keyboard = new PassThrough();
  const password = promptPassword(keyboard, new PassThrough());
  keyboard.write(keys);
  return password;
}

test('reads a password up to Enter', async () => {
  expect(await enterKeys('long enough\r')).toBe('long enough');
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
  ['Ctrl-C in the middle', 'long\u0003'],
])('%s at the password prompt cancels with an error code', async (_, keys) => {
  await expect(enterKeys(keys)).rejects.toMatchObject({ code: 'CANCELED', exit: 7 });
});
