import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../core/config.ts';
import type { RequestContext } from '../services/context.ts';

// The prefix requires Secure, which development over http lacks.
const isSecure = (config: Config) => config.production || config.publicUrl.startsWith('https://');

export const cookieNameFor = (config: Config, name: string) => (isSecure(config) ? `__Host-${name}` : name);

export function serializeCookie(config: Config, name: string, value: string, maxAgeSeconds: number): string {
  const secureAttribute = isSecure(config) ? '; Secure' : '';
  return `${cookieNameFor(config, name)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secureAttribute}`;
}

/** Null: absent or malformed. */
export function readCookie(config: Config, headers: Headers, name: string): string | null {
  const cookieName = cookieNameFor(config, name);
  for (const cookiePart of (headers.get('cookie') ?? '').split(';')) {
    const [key, value] = cookiePart.trim().split('=', 2);
    if (key === cookieName && value !== undefined && /^[\w-]{43}$/.test(value)) return value;
  }
  return null;
}

/** 256 random bits. */
export const createSecret = (): string => randomBytes(32).toString('base64url');
/** As stored. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const preSessionSeconds = 15 * 60;

/** Binds steps before a session to the browser. Returns the cookie's fingerprint. */
export function ensurePreSession({ services: { config }, headers, answer }: RequestContext, mustCreate = false): string {
  const knownSecret = mustCreate ? null : readCookie(config, headers, 'pre');
  if (knownSecret !== null) return hashSecret(knownSecret);
  const secret = createSecret();
  answer.append('set-cookie', serializeCookie(config, 'pre', secret, preSessionSeconds));
  return hashSecret(secret);
}

export function readPreSession({ services: { config }, headers }: RequestContext): string | null {
  const knownSecret = readCookie(config, headers, 'pre');
  return knownSecret === null ? null : hashSecret(knownSecret);
}

export function endPreSession({ services: { config }, headers, answer }: RequestContext): void {
  if (readCookie(config, headers, 'pre') !== null) answer.append('set-cookie', serializeCookie(config, 'pre', '', 0));
}
