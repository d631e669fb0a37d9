import { readFileSync } from 'node:fs';
import { hash, verify, type Options } from '@node-rs/argon2';
import type { ValidationRule } from '../../../../api/validation-rules.ts';
import { createAppError } from '../../core/errors.ts';

/** OWASP's minimum for argon2id; 16 to 24 ms off the main thread. */
const hashOptions: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const passwordLength = { min: 15, minWithFactor: 8, max: 128 };

export const normalizeEmail = (email: string): string => email.normalize('NFKC').trim().toLowerCase();

/** Keyboards encode the same letters differently. */
const normalizePassword = (password: string): string => password.normalize('NFKC');

export const hashPassword = (password: string): Promise<string> =>
  runBounded(() => hash(normalizePassword(password), hashOptions));

// Accounts without a password take equally long.
let dummyHash: Promise<string> | null = null;

/** Equally long without a hash. Strangers wait behind known browsers. */
export async function isPassword(storedHash: string | null, password: string, queueName: QueueName = 'known'): Promise<boolean> {
  dummyHash ??= hash(crypto.randomUUID(), hashOptions);
  const comparedHash = storedHash ?? (await dummyHash);
  const isMatch = await runBounded(() => verify(comparedHash, normalizePassword(password)).catch(() => false), queueName); // throws on a malformed hash
  return isMatch && storedHash !== null;
}

/** Null: acceptable. Counts graphemes. */
export function findPasswordProblem(password: string, email = '', hasFactor = false): ValidationRule | null {
  const normalizedPassword = normalizePassword(password);
  const characterCount = [...normalizedPassword].length;
  if (characterCount < (hasFactor ? passwordLength.minWithFactor : passwordLength.min)) return 'tooShort';
  // Sign-in limits UTF-16 units.
  if (Math.max(characterCount, password.length) > passwordLength.max) return 'tooLong';
  return isCommon(normalizedPassword.toLowerCase(), normalizeEmail(email)) ? 'invalid' : null;
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
  const strippedPassword = password.replace(/^[\d\W_]+|[\d\W_]+$/gu, '');
  const firstHalf = password.slice(0, password.length / 2);
  return (
    [password, strippedPassword].some((candidate) => mostUsed.has(candidate)) ||
    (firstHalf + firstHalf === password && mostUsed.has(firstHalf))
  );
}

// Little remains without well-known parts, or one is repeated.
function isCommon(password: string, email: string): boolean {
  if (isMostUsed(password)) return true;
  const emailParts = email.split(/[@.]/).filter((emailPart) => emailPart.length >= 4);
  let remainder = password;
  for (const commonPart of [...emailParts, ...commonParts]) remainder = remainder.replaceAll(commonPart, '');
  return remainder.replace(/[\d\W_]/gu, '').length < 4 ? new Set(remainder).size < 8 : isRepeated(password);
}

const isRepeated = (password: string) => new Set(password).size < 5 || /^(.{1,5})\1+.{0,4}$/u.test(password);

// Bounded, so that sign-in cannot exhaust the server.

const maxConcurrency = 4;
/** The rest is reserved for known browsers. */
const maxUnknownConcurrency = 3;
const maxQueueLength = 32;

/** `unknown`: a browser not seen before. */
type QueueName = 'known' | 'unknown';
const runningCounts: Record<QueueName, number> = { known: 0, unknown: 0 };
const waitingTasks: Record<QueueName, (() => void)[]> = { known: [], unknown: [] };

const canStartTask = (queueName: QueueName): boolean =>
  runningCounts.known + runningCounts.unknown < maxConcurrency &&
  (queueName === 'known' || runningCounts.unknown < maxUnknownConcurrency);

async function runBounded<T>(task: () => Promise<T>, queueName: QueueName = 'known'): Promise<T> {
  if (canStartTask(queueName)) runningCounts[queueName]++;
  else {
    if (waitingTasks[queueName].length >= maxQueueLength) throw createAppError('TOO_MANY_REQUESTS', { retryAfter: 1 });
    await new Promise<void>((resolve) => waitingTasks[queueName].push(resolve));
  }
  try {
    return await task();
  } finally {
    runningCounts[queueName]--;
    for (const startNext of ['known', 'unknown'] as const) {
      while (waitingTasks[startNext].length > 0 && canStartTask(startNext)) {
        runningCounts[startNext]++;
        waitingTasks[startNext].shift()?.();
      }
    }
  }
}
