import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CommandSheet, JsonSchema, ParamSheet } from '../../src/commands/app/describe.ts';
import { schemaTypeText } from '../schema-words.ts';
import { isVisibleName } from '../../api/visible-text.ts';
import { exitCodes, ShellError } from './command-output.ts';
import { machineName } from './machine-name.ts';

/** The message names the mistake and the remedy. */
export class UsageError extends ShellError {
  override name = 'UsageError';
  constructor(message: string) {
    super('USAGE', exitCodes.usage, message);
  }
}

export interface CommandArgs {
  id: string | null;
  help: boolean;
  list: boolean;
  confirm: boolean;
  passwordFromInput: boolean;
  /** `-` is standard input. */
  batch: string | null;
  /** Continue a batch after failures. */
  keepGoing: boolean;
  /** Path of a JUnit report. */
  junit: string | null;
  /** `id@7` requires version 7. */
  targets: (string | { id: string; version: number })[];
  /** As typed, repeated names in order. */
  given: Map<string, string[]>;
}

/** `news.show --target <id> --confirm`, `news.add --title=… --link …`. */
export function parseLine(argv: readonly string[]): CommandArgs {
  const parsedArgs: CommandArgs = {
    id: null,
    help: false,
    list: false,
    confirm: false,
    passwordFromInput: false,
    batch: null,
    keepGoing: false,
    junit: null,
    targets: [],
    given: new Map(),
  };
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? '';
    if (!argument.startsWith('--')) {
      if (parsedArgs.id !== null) throw new UsageError(`unexpected argument "${argument}". Pass values as --name value`);
      parsedArgs.id = argument;
      continue;
    }
    const equalsIndex = argument.indexOf('=');
    const name = argument.slice(2, equalsIndex < 0 ? undefined : equalsIndex);
    if (name === 'help') parsedArgs.help = true;
    else if (name === 'list') parsedArgs.list = true;
    else if (name === 'confirm') parsedArgs.confirm = true;
    else if (name === 'password-stdin') parsedArgs.passwordFromInput = true;
    else if (name === 'keep-going') parsedArgs.keepGoing = true;
    else {
      const value = equalsIndex < 0 ? argv[++index] : argument.slice(equalsIndex + 1);
      if (value === undefined) throw new UsageError(`--${name} needs a value`);
      if (name === 'batch' || name === 'junit') parsedArgs[name] = value;
      else if (name === 'target') parsedArgs.targets.push(targetOf(value));
      else parsedArgs.given.set(name, [...(parsedArgs.given.get(name) ?? []), value]);
    }
  }
  return parsedArgs;
}

/** `login --paste --port 4000 --name build-01`. */
export function parseLogin(argv: readonly string[]): { isPasted: boolean; port: number; name: string } {
  const login = { isPasted: false, port: 0, name: machineName() };
  const rest = [...argv];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [name = '', given] = argument.split(/=(.*)/s);
    if (argument === '--paste') login.isPasted = true;
    else if (name === '--port') login.port = portOf(given ?? rest.shift() ?? '');
    else if (name === '--name') login.name = given ?? rest.shift() ?? '';
    else throw new UsageError(`unexpected argument "${argument}" of login. Allowed: --paste, --port <port>, --name <name>`);
  }
  if (login.name.length > 64 || login.name === '' || !isVisibleName(login.name))
    throw new UsageError('--name must have 1 to 64 visible characters');
  return login;
}

function portOf(text: string): number {
  const port = /^\d{4,5}$/.test(text) ? Number(text) : 0;
  if (port < 1024 || port > 65_535) throw new UsageError('--port must be from 1024 to 65535');
  return port;
}

function targetOf(text: string): CommandArgs['targets'][number] {
  const [, id, version] = /^(.+)@(\d+)$/.exec(text) ?? [];
  return id === undefined ? text : { id, version: Number(version) };
}

/** Option names that no parameter may have. */
export const reservedNames = ['help', 'list', 'confirm', 'password-stdin', 'target', 'batch', 'keep-going', 'junit'];

/** Converts typed text by the command's schema. Secrets come from the environment. */
export async function readParams(
  sheet: CommandSheet,
  providedParams: CommandArgs['given'],
  env: NodeJS.ProcessEnv,
): Promise<Record<string, unknown>> {
  const params: Record<string, unknown> = {};
  for (const [name, values] of providedParams) {
    const param = sheet.params.find((candidate) => candidate.name === name);
    if (!param)
      throw new UsageError(
        `${sheet.id} has no parameter ${name}. Parameters: ${sheet.params.map((candidate) => candidate.name).join(', ') || 'none'}`,
      );
    if (isSecret(param))
      throw new UsageError(`${name} is secret and must not be on the command line. Set ${secretVariableOf(name)} instead`);
    params[name] = await valueOf(param, values);
  }
  for (const param of sheet.params.filter(isSecret)) {
    const value = env[secretVariableOf(param.name)];
    if (value !== undefined) params[param.name] = value;
  }
  return params;
}

const isSecret = ({ kind }: ParamSheet) => kind === 'secret' || kind === 'code';
const secretVariableOf = (name: string) => `PANEL_PARAM_${name.toUpperCase()}`;

async function valueOf({ name, kind, schema }: ParamSheet, values: readonly string[]): Promise<unknown> {
  if (schema['type'] === 'array') {
    const [onlyValue] = values;
    return values.length === 1 && onlyValue?.startsWith('[') ? parseJson(name, onlyValue) : values;
  }
  const [value = ''] = values;
  if (values.length > 1) throw new UsageError(`--${name} takes only one value`);
  if (kind === 'file') return new File([await readFile(value)], basename(value));
  const types = typesOf(schema);
  if (value === 'null' && types.has('null')) return null;
  if (types.has('string')) return value;
  if (types.has('boolean') && /^(true|false)$/.test(value)) return value === 'true';
  if (types.has('object')) return parseJson(name, value);
  // Invalid numbers are passed on, so that the schema reports them.
  return (types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--${name} must be valid JSON`);
  }
}

const typesOf = (schema: JsonSchema): Set<unknown> =>
  new Set([schema['type'], ...((schema['anyOf'] ?? []) as JsonSchema[]).flatMap((variant) => [...typesOf(variant)])]);

/** The text of `--help`. */
export function helpOf({ id, name, permission, target, params, danger, confirms }: CommandSheet): string {
  const options: [string, string][] = [];
  if (target !== 'none')
    options.push([
      '--target <id>',
      target.kind === 'one'
        ? `ID of the ${target.entity} record`
        : `ID of a ${target.entity} record. Repeat it for up to ${target.max} records`,
    ]);
  for (const param of params) {
    const description = [param.label?.en, schemaTypeText(param.schema), param.required ? 'required' : null]
      .filter(Boolean)
      .join(', ');
    options.push(
      isSecret(param)
        ? [secretVariableOf(param.name), `${description}, environment variable`]
        : [`--${param.name} <${param.kind === 'file' ? 'path' : 'value'}>`, description],
    );
  }
  if (confirms) options.push(['--confirm', `skip the confirmation prompt (${danger})`]);
  const width = Math.max(...options.map(([option]) => option.length));
  return [
    `${id}  ${name.en} · ${name.zh}`,
    `permission: ${permission === 'anyone' ? 'none, any account' : permission}`,
    '',
    ...options.map(([option, says]) => `  ${option.padEnd(width)}  ${says}`),
  ].join('\n');
}
