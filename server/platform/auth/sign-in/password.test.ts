import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hashPassword, isPassword, normalizeEmail, findPasswordProblem } from './password.ts';

test('hashes with argon2id and the chosen parameters, never twice the same', async () => {
  const [firstHash, secondHash] = await Promise.all([hashPassword('violet harbour seven'), hashPassword('violet harbour seven')]);
  expect(firstHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(firstHash).not.toBe(secondHash);
});

test('accepts only the password of the hash, and none for a missing or broken hash', async () => {
  const hash = await hashPassword('violet harbour seven');
  expect(await isPassword(hash, 'violet harbour seven')).toBe(true);
  expect(await isPassword(hash, 'violet harbour seveN')).toBe(false);
  expect(await isPassword(null, 'violet harbour seven')).toBe(false);
  expect(await isPassword('not a hash', 'violet harbour seven')).toBe(false);
});

test('accepts the same letters typed on another keyboard', async () => {
  const composedPassword = 'caf\u00e9 au lait \u6e2f\u53e3';
  expect(await isPassword(await hashPassword(composedPassword), composedPassword.normalize('NFD'))).toBe(true);
});

test('normalizes an email to one spelling', () => {
  expect(normalizeEmail('  Ａdmin@Demo.LOCAL ')).toBe('admin@demo.local');
});

test('refuses hashes beyond the limit of waiting ones and completes the others', async () => {
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => hashPassword('violet harbour seven')));
  const rejectedResults = results.filter(({ status }) => status === 'rejected');
  expect(rejectedResults).toHaveLength(4);
  expect(rejectedResults[0]).toMatchObject({ reason: { code: 'TOO_MANY_REQUESTS' } });
});

test.each([
  ['fourteen chars', 'tooShort'],
  ['a'.repeat(129), 'tooLong'],
  ['🔑'.repeat(65), 'tooLong'], // 130 UTF-16 units, which sign-in rejects
  ['passwordpassword', 'invalid'],
  ['qwertyqwertyqwerty', 'invalid'],
  ['abababababababab', 'invalid'],
  ['Password1234567!', 'invalid'],
  ['wintermute.wintermute', 'invalid'],
  ['1QAZ2WSX3EDC4RFV', 'invalid'],
  ['!!Sunshine!!2026', 'invalid'],
  ['basketballbasketball', 'invalid'],
  ['violet harbour seven lamps', null],
  ['四海为家千里之行始于足下明月松间', null],
])('judges the password %s as %s', (password, problem) => {
  expect(findPasswordProblem(password, 'wintermute@example.com')).toBe(problem);
});

test('refuses the most used passwords of eight or more characters, even with a second factor', () => {
  const commonPasswords = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  expect(new Set(commonPasswords).size).toBeGreaterThanOrEqual(3000);
  expect(
    commonPasswords.filter((password) => password.length < 8 || password !== password.normalize('NFKC').toLowerCase()),
  ).toEqual([]);
  expect(commonPasswords.filter((password) => findPasswordProblem(password.toUpperCase(), '', true) !== 'invalid')).toEqual([]);
  expect(findPasswordProblem('tramvaj7', '', true)).toBeNull();
});
