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
  const batchText =
    file === '-'
      ? await text(process.stdin)
      : await readFile(file, 'utf8').catch(() => {
          throw new UsageError(`--batch: can’t read the file ${file}`);
        });
  const invocations = batchText.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [invocationOf(line, index + 1)]));
  if (invocations.length === 0) throw new UsageError('--batch: the file contains no commands');
  return invocations;
}

const knownFields = ['id', 'targets', 'params', 'confirm'];

function invocationOf(line: string, lineNumber: number): Invocation {
  const rejectLine = (problem: string): never => {
    throw new UsageError(`--batch, line ${lineNumber}: ${problem}`);
  };
  let parsedLine: unknown;
  try {
    parsedLine = JSON.parse(line);
  } catch {
    return rejectLine('not valid JSON');
  }
  if (typeof parsedLine !== 'object' || parsedLine === null || Array.isArray(parsedLine))
    return rejectLine('must be a JSON object');
  const unknownField = Object.keys(parsedLine).find((name) => !knownFields.includes(name));
  if (unknownField) rejectLine(`unknown field ${unknownField}. Allowed fields: ${knownFields.join(', ')}`);
  const { id, targets, params, confirm } = parsedLine as Record<string, unknown>;
  if (typeof id !== 'string' || !registry.get(id)) return rejectLine(`unknown command ${String(id)}. List commands with --list`);
  if (targets !== undefined && !(Array.isArray(targets) && targets.every(isTarget)))
    rejectLine('targets must be IDs or objects like {"id": "…", "version": 3}');
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    rejectLine('params must be an object');
  if (confirm !== undefined && confirm !== true) rejectLine('confirm must be true or omitted');
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
