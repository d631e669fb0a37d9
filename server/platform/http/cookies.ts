import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../core/config.ts';
import type { RequestContext } from '../services/context.ts';

// The prefix requires Secure, which development over http lacks.
const isSecure = (config: Config) => config.production || config.publicUrl.startsWith('https://');

export const cookieNameFor = (config: Config, name: string) => (isSecure(config) ? `__Host-${name}` : name);

export function cookie(config: Config, name: string, value: string, seconds: number): string {
  const secure = isSecure(config) ? '; Secure' : '';
  return `${cookieNameFor(config, name)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

/** Null: absent or malformed. */
export function readCookie(config: Config, headers: Headers, name: string): string | null {
  const requested = cookieNameFor(config, name);
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === requested && value !== undefined && /^[\w-]{43}$/.test(value)) return value;
  }
  return null;
}

/** 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
/** As stored. */
export const fingerprint = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const preSessionSeconds = 15 * 60;

/** Binds steps before a session to the browser. Returns the cookie's fingerprint. */
export function preSession({ services: { config }, headers, answer }: RequestContext, fresh = false): string {
  const known = fresh ? null : readCookie(config, headers, 'pre');
  if (known !== null) return fingerprint(known);
  const secret = newSecret();
  answer.append('set-cookie', cookie(config, 'pre', secret, preSessionSeconds));
  return fingerprint(secret);
}

export function readPreSession({ services: { config }, headers }: RequestContext): string | null {
  const known = readCookie(config, headers, 'pre');
  return known === null ? null : fingerprint(known);
}

export function endPreSession({ services: { config }, headers, answer }: RequestContext): void {
  if (readCookie(config, headers, 'pre') !== null) answer.append('set-cookie', cookie(config, 'pre', '', 0));
}
