import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../core/config.ts';
import type { RequestContext } from '../core/context.ts';

// A browser takes the prefix only with Secure; over plain http on localhost, in development alone, it goes without.
const isSecure = (config: Config) => config.production || config.publicUrl.startsWith('https://');

/** A cookie's name as the browser holds it. */
export const cookieName = (config: Config, name: string) => (isSecure(config) ? `__Host-${name}` : name);

/** A Set-Cookie line; no seconds takes the cookie back. */
export function cookie(config: Config, name: string, value: string, seconds: number): string {
  const secure = isSecure(config) ? '; Secure' : '';
  return `${cookieName(config, name)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

/** The secret in a cookie of ours; null when it is absent or nothing we ever made. */
export function readCookie(config: Config, headers: Headers, name: string): string | null {
  const asked = cookieName(config, name);
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === asked && value !== undefined && /^[\w-]{43}$/.test(value)) return value;
  }
  return null;
}

/** 256 random bits as text. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
/** What is kept of such a secret. */
export const fingerprint = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const preSessionSeconds = 15 * 60;

/**
 * Ties what comes before a session (a code asked for, a challenge to a wallet or passkey) to the browser that began it:
 * answers the fingerprint of its cookie, and sets a new one where none is. Always a new one with `fresh`.
 */
export function preSession({ services: { config }, headers, answer }: RequestContext, fresh = false): string {
  const known = fresh ? null : readCookie(config, headers, 'pre');
  if (known !== null) return fingerprint(known);
  const secret = newSecret();
  answer.append('set-cookie', cookie(config, 'pre', secret, preSessionSeconds));
  return fingerprint(secret);
}

/** The fingerprint of the pre-session this browser has, or null. */
export function readPreSession({ services: { config }, headers }: RequestContext): string | null {
  const known = readCookie(config, headers, 'pre');
  return known === null ? null : fingerprint(known);
}

/** Takes the pre-session's cookie back once there is a session. */
export function endPreSession({ services: { config }, headers, answer }: RequestContext): void {
  if (readCookie(config, headers, 'pre') !== null) answer.append('set-cookie', cookie(config, 'pre', '', 0));
}
