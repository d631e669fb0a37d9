import { readFileSync } from 'node:fs';
import { hash, verify, type Options } from '@node-rs/argon2';
import type { ValidationRule } from '../../../../api/validation-rules.ts';
import { appError } from '../../core/errors.ts';

/** OWASP's minimum for argon2id; 16 to 24 ms off the main thread. */
const parameters: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const passwordLength = { min: 15, minWithFactor: 8, max: 128 };

export const normalEmail = (email: string): string => email.normalize('NFKC').trim().toLowerCase();

/** Keyboards encode the same letters differently. */
const normalPassword = (password: string): string => password.normalize('NFKC');

export const hashPassword = (password: string): Promise<string> => bounded(() => hash(normalPassword(password), parameters));

// Accounts without a password take equally long.
let dummy: Promise<string> | null = null;

/** Equally long without a hash. Strangers wait behind known browsers. */
export async function isPassword(stored: string | null, password: string, lane: Lane = 'known'): Promise<boolean> {
  dummy ??= hash(crypto.randomUUID(), parameters);
  const against = stored ?? (await dummy);
  const matches = await bounded(() => verify(against, normalPassword(password)).catch(() => false), lane); // throws on a malformed hash
  return matches && stored !== null;
}

/** Null: acceptable. Counts graphemes. */
export function passwordProblem(password: string, email = '', hasFactor = false): ValidationRule | null {
  const normal = normalPassword(password);
  const characters = [...normal].length;
  if (characters < (hasFactor ? passwordLength.minWithFactor : passwordLength.min)) return 'tooShort';
  // Sign-in limits UTF-16 units.
  if (Math.max(characters, password.length) > passwordLength.max) return 'tooLong';
  return isCommon(normal.toLowerCase(), normalEmail(email)) ? 'invalid' : null;
}

const commonParts = [
  'password',
  'passwort',
  'qwerty',
  'asdfgh',
  'zxcvbn',
  'letmein',
  'welcome',
  'iloveyou',
  'administrator',
  'admin',
  'panel',
  '123456',
  'abcdef',
  '111111',
  '000000',
  '密码',
  'bitcoin',
  'ybtc',
];

/** 12,000 common passwords of 8 or more characters, lower case, from @zxcvbn-ts/language-common 4.1.3 (MIT). */
const mostUsed: ReadonlySet<string> = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean),
);

// Also with digits and signs around it, or repeated.
function isMostUsed(password: string): boolean {
  const bare = password.replace(/^[\d\W_]+|[\d\W_]+$/gu, '');
  const half = password.slice(0, password.length / 2);
  return [password, bare].some((word) => mostUsed.has(word)) || (half + half === password && mostUsed.has(half));
}

// Little remains without well-known parts, or one is repeated.
function isCommon(password: string, email: string): boolean {
  if (isMostUsed(password)) return true;
  const emailParts = email.split(/[@.]/).filter((part) => part.length >= 4);
  let rest = password;
  for (const part of [...emailParts, ...commonParts]) rest = rest.replaceAll(part, '');
  return rest.replace(/[\d\W_]/gu, '').length < 4 ? new Set(rest).size < 8 : isRepeated(password);
}

const isRepeated = (password: string) => new Set(password).size < 5 || /^(.{1,5})\1+.{0,4}$/u.test(password);

// Bounded, so that sign-in cannot exhaust the server.

const maxConcurrency = 4;
/** The rest is reserved for known browsers. */
const maxUnknownConcurrency = 3;
const maxQueueLength = 32;

/** `unknown`: a browser not seen before. */
type Lane = 'known' | 'unknown';
const running: Record<Lane, number> = { known: 0, unknown: 0 };
const waiting: Record<Lane, (() => void)[]> = { known: [], unknown: [] };

const hasRoom = (lane: Lane): boolean =>
  running.known + running.unknown < maxConcurrency && (lane === 'known' || running.unknown < maxUnknownConcurrency);

async function bounded<T>(task: () => Promise<T>, lane: Lane = 'known'): Promise<T> {
  if (hasRoom(lane)) running[lane]++;
  else {
    if (waiting[lane].length >= maxQueueLength) throw appError('TOO_MANY_REQUESTS', { retryAfter: 1 });
    await new Promise<void>((resolve) => waiting[lane].push(resolve));
  }
  try {
    return await task();
  } finally {
    running[lane]--;
    for (const next of ['known', 'unknown'] as const) {
      while (waiting[next].length > 0 && hasRoom(next)) {
        running[next]++;
        waiting[next].shift()?.();
      }
    }
  }
}
