import { readFileSync } from 'node:fs';
import { rememberSecret, rememberUrlSecrets } from './redact.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const fileVariable = (name: string): string => `${name}_FILE`;

interface Names {
  variables: readonly string[];
  secrets: readonly string[];
}

/** Empty counts as unset. Throws `refuse(line)` for an unreadable file or a secret set twice. */
export function readEnvironment(env: Environment, { variables, secrets }: Names, refuse: (line: string) => Error) {
  const set = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
  for (const name of secrets) {
    const variable = fileVariable(name);
    const file = set[variable];
    if (file === undefined) continue;
    if (set[name] !== undefined) throw refuse(`${variable} and ${name} are both set. Remove one of them`);
    const text = contents(file).trim();
    if (text === '') throw refuse(`${variable} names a file that can’t be read or is empty`);
    delete set[variable];
    set[name] = text;
  }
  for (const name of variables) {
    const value = set[name] ?? '';
    if (value.includes('://')) rememberUrlSecrets(value);
    else if (secrets.includes(name)) rememberSecret(value);
  }
  return set;
}

function contents(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
