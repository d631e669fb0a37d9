import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { typedPassword } from './password.ts';

function typed(keys: string): Promise<string> {
  const keyboard = new PassThrough();
  const password = typedPassword(keyboard, new PassThrough());
  keyboard.write(keys);
  return password;
}

test('reads a password up to Enter', async () => {
  expect(await typed('long enough\r')).toBe('long enough');
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
  ['Ctrl-C in the middle', 'long\u0003'],
])('%s at the password prompt cancels with an error code', async (_, keys) => {
  await expect(typed(keys)).rejects.toMatchObject({ code: 'CANCELED', exit: 7 });
});
