import { readFileSync } from 'node:fs';
import { rememberSecret, rememberUrlSecrets } from './redact.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names the file in which another one's value stands. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/** The variables of a process: all of them, and those that may be in a file. */
interface Names {
  variables: readonly string[];
  secrets: readonly string[];
}

/**
 * What is set of an environment: empty counts as not set, and a secret may stand in a file that `NAME_FILE` names, as a
 * container's and systemd's do. Throws `refuse(line)` for a file that cannot be read, or a secret that is given twice.
 */
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
