import { inspect } from 'node:util';

/** Longest first: one may be part of another. */
let knownSecrets: readonly string[] = [];

const shortestPassword = 6;
const shortestValue = 8;

/** Passwords, query values, path keys and fragments of URLs. */
export function rememberUrlSecrets(value: string): void {
  for (const url of value.match(urlPattern) ?? []) for (const secret of listSecrets(url)) rememberSecret(secret);
}

export function rememberSecret(secret: string): void {
  if (secret.length < shortestPassword) return;
  knownSecrets = [...new Set([...knownSecrets, secret, decodeText(secret)])].toSorted((a, b) => b.length - a.length);
}

function listSecrets(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { password, username, searchParams, pathname, hash } = new URL(text);
  return [
    password,
    ...[username, ...pathname.split('/')].filter(isLikelyKey),
    ...[...searchParams.values(), hash.slice(1)].filter((value) => value.length >= shortestValue),
  ];
}

/** Tells a provider's key from a word, version or network name. */
const isLikelyKey = (value: string): boolean => value.length >= 24 || (value.length >= 12 && /\d/.test(value));

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const urlPattern = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`,]+/gi;

/** Keeps each URL's scheme and host and removes configured secrets. */
export function redact(text: string): string {
  let withoutUrls = text.replaceAll(urlPattern, redactUrl);
  for (const secret of knownSecrets) withoutUrls = withoutUrls.replaceAll(secret, '[redacted]');
  return withoutUrls;
}

function redactUrl(url: string): string {
  if (/^file:/i.test(url)) return url; // a stack line
  const schemePrefix = url.slice(0, url.indexOf('://') + 3);
  const [authority = ''] = url.slice(schemePrefix.length).split(/[/?#\\]/);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return schemePrefix.length + authority.length === url.length ? `${schemePrefix}${host}` : `${schemePrefix}${host}/…`;
}

export const redactShort = (text: string, max: number): string => redact(text.slice(0, max * 4)).slice(0, max);

export const escapeControls = (error: unknown): string => redact(inspect(error));
