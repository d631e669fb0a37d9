import { inspect } from 'node:util';

/** Longest first: one may be part of another. */
let secrets: readonly string[] = [];

const shortestPassword = 6;
const shortestValue = 8;

/** Passwords, query values, path keys and fragments of URLs. */
export function rememberUrlSecrets(value: string): void {
  for (const url of value.match(urlPattern) ?? []) for (const secret of secretsOf(url)) rememberSecret(secret);
}

export function rememberSecret(secret: string): void {
  if (secret.length < shortestPassword) return;
  secrets = [...new Set([...secrets, secret, decoded(secret)])].toSorted((a, b) => b.length - a.length);
}

function secretsOf(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { password, username, searchParams, pathname, hash } = new URL(text);
  return [
    password,
    ...[username, ...pathname.split('/')].filter(isKey),
    ...[...searchParams.values(), hash.slice(1)].filter((part) => part.length >= shortestValue),
  ];
}

/** Tells a provider's key from a word, version or network name. */
const isKey = (part: string): boolean => part.length >= 24 || (part.length >= 12 && /\d/.test(part));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const urlPattern = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`,]+/gi;

/** Keeps each URL's scheme and host and removes configured secrets. */
export function redact(text: string): string {
  let short = text.replaceAll(urlPattern, hostOnly);
  for (const secret of secrets) short = short.replaceAll(secret, '[redacted]');
  return short;
}

function hostOnly(url: string): string {
  if (/^file:/i.test(url)) return url; // a stack line
  const scheme = url.slice(0, url.indexOf('://') + 3);
  const [authority = ''] = url.slice(scheme.length).split(/[/?#\\]/);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return scheme.length + authority.length === url.length ? `${scheme}${host}` : `${scheme}${host}/…`;
}

export const redactShort = (text: string, max: number): string => redact(text.slice(0, max * 4)).slice(0, max);

export const escapeControls = (error: unknown): string => redact(inspect(error));
