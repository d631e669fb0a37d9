import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { CommandId } from '../../api/names.ts';
import { registry } from '../../src/commands/app/all.ts';
import type { Invocation } from '../../src/commands/engine/define.ts';
import { UsageError } from './args.ts';

/**
 * One JSON object per line: {"id": "news.show", "targets": ["…"], "params": {…}, "confirm": true}. Parses all before the first
 * runs. `-` is standard input.
 */
export async function readBatch(file: string): Promise<Invocation[]> {
  const whole =
    file === '-'
      ? await text(process.stdin)
      : await readFile(file, 'utf8').catch(() => {
          throw new UsageError(`--batch: can’t read the file ${file}`);
        });
  const found = whole.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [invocationOf(line, at + 1)]));
  if (found.length === 0) throw new UsageError('--batch: the file contains no commands');
  return found;
}

const known = ['id', 'targets', 'params', 'confirm'];

function invocationOf(line: string, number: number): Invocation {
  const refuse = (why: string): never => {
    throw new UsageError(`--batch, line ${number}: ${why}`);
  };
  let said: unknown;
  try {
    said = JSON.parse(line);
  } catch {
    return refuse('not valid JSON');
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return refuse('must be a JSON object');
  const strange = Object.keys(said).find((name) => !known.includes(name));
  if (strange) refuse(`unknown field ${strange}. Allowed fields: ${known.join(', ')}`);
  const { id, targets, params, confirm } = said as Record<string, unknown>;
  if (typeof id !== 'string' || !registry.get(id)) return refuse(`unknown command ${String(id)}. List commands with --list`);
  if (targets !== undefined && !(Array.isArray(targets) && targets.every(isTarget)))
    refuse('targets must be IDs or objects like {"id": "…", "version": 3}');
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    refuse('params must be an object');
  if (confirm !== undefined && confirm !== true) refuse('confirm must be true or omitted');
  return {
    id: id as CommandId,
    ...(targets === undefined ? {} : { targets: targets as NonNullable<Invocation['targets']> }),
    ...(params === undefined ? {} : { params: params as Record<string, unknown> }),
    ...(confirm === true ? { confirm } : {}),
  };
}

const isTarget = (target: unknown): boolean =>
  typeof target === 'string' ||
  (typeof target === 'object' &&
    target !== null &&
    'id' in target &&
    typeof target.id === 'string' &&
    'version' in target &&
    Number.isInteger(target.version));
