import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hashPassword, isPassword, normalEmail, passwordProblem } from './password.ts';

test('a hash is argon2id with the parameters we mean, and never the same twice', async () => {
  const [one, two] = await Promise.all([hashPassword('violet harbour seven'), hashPassword('violet harbour seven')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
});

test('the password is told from another, from a missing hash and from a broken one', async () => {
  const hash = await hashPassword('violet harbour seven');
  expect(await isPassword(hash, 'violet harbour seven')).toBe(true);
  expect(await isPassword(hash, 'violet harbour seveN')).toBe(false);
  expect(await isPassword(null, 'violet harbour seven')).toBe(false);
  expect(await isPassword('not a hash', 'violet harbour seven')).toBe(false);
});

test('the same letters from another keyboard are the same password', async () => {
  const composed = 'caf\u00e9 au lait \u6e2f\u53e3';
  expect(await isPassword(await hashPassword(composed), composed.normalize('NFD'))).toBe(true);
});

test('an account has one spelling', () => {
  expect(normalEmail('  Ａdmin@Demo.LOCAL ')).toBe('admin@demo.local');
});

test('more hashes at once than may wait are refused, and the rest are done', async () => {
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => hashPassword('violet harbour seven')));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(4);
  expect(refused[0]).toMatchObject({ reason: { code: 'TOO_MANY_REQUESTS' } });
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
])('%s → %s', (password, problem) => {
  expect(passwordProblem(password, 'wintermute@example.com')).toBe(problem);
});

test('the most used passwords of eight characters and more are refused, also to who has a second factor', () => {
  const used = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  expect(new Set(used).size).toBeGreaterThanOrEqual(3000);
  expect(used.filter((password) => password.length < 8 || password !== password.normalize('NFKC').toLowerCase())).toEqual([]);
  expect(used.filter((password) => passwordProblem(password.toUpperCase(), '', true) !== 'invalid')).toEqual([]);
  expect(passwordProblem('tramvaj7', '', true)).toBeNull();
});
