import { inspect } from 'node:util';

/** Secret values of this process's configuration, the longest first: one may be a part of another. */
let secrets: readonly string[] = [];

const shortestPassword = 6;
const shortestValue = 8;

/** Remembers the secrets of a variable's value: of each URL its password, query values, path keys and fragment. */
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

/** A provider's key, and not a word, a version or the name of a network. */
const isKey = (part: string): boolean => part.length >= 24 || (part.length >= 12 && /\d/.test(part));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const urlPattern = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`,]+/gi;

/** Text without secrets: each URL keeps its scheme and host, and configured secrets are left out wherever they are. */
export function redact(text: string): string {
  let short = text.replaceAll(urlPattern, hostOnly);
  for (const secret of secrets) short = short.replaceAll(secret, '[redacted]');
  return short;
}

function hostOnly(url: string): string {
  if (/^file:/i.test(url)) return url; // a line of a stack
  const scheme = url.slice(0, url.indexOf('://') + 3);
  const [authority = ''] = url.slice(scheme.length).split(/[/?#\\]/);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return scheme.length + authority.length === url.length ? `${scheme}${host}` : `${scheme}${host}/…`;
}

/** The beginning of a text, without secrets: however long it is, little of it is looked at. */
export const redactShort = (text: string, most: number): string => redact(text.slice(0, most * 4)).slice(0, most);

/** An unexpected error for the terminal, with its stack and without secrets. */
export const printable = (error: unknown): string => redact(inspect(error));
