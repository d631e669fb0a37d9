import { readFileSync } from 'node:fs';
import { rememberSecret, rememberUrlSecrets } from './redact.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const fileVariableName = (name: string): string => `${name}_FILE`;

interface VariableNames {
  variables: readonly string[];
  secrets: readonly string[];
}

/** Empty counts as unset. Throws `refuse(line)` for an unreadable file or a secret set twice. */
export function readEnvironment(env: Environment, { variables, secrets }: VariableNames, createError: (line: string) => Error) {
  const setVariables = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  );
  for (const name of secrets) {
    const variable = fileVariableName(name);
    const file = setVariables[variable];
    if (file === undefined) continue;
    if (setVariables[name] !== undefined) throw createError(`${variable} and ${name} are both set. Remove one of them`);
    const text = readContents(file).trim();
    if (text === '') throw createError(`${variable} names a file that can’t be read or is empty`);
    delete setVariables[variable];
    setVariables[name] = text;
  }
  for (const name of variables) {
    const value = setVariables[name] ?? '';
    if (value.includes('://')) rememberUrlSecrets(value);
    else if (secrets.includes(name)) rememberSecret(value);
  }
  return setVariables;
}

function readContents(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
