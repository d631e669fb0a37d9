import type { FieldIssue } from '../../../api/errors.ts';
import { t, tMaybe } from '../../lib/i18n/i18n.ts';
import type { CommandError } from '../engine/command-error.ts';
import { registry } from './registry.ts';

/** A script gets the same answer shape from every command. */
export interface ScriptAnswer {
  done: readonly unknown[];
  failed: readonly { id: string; code: string; message: string }[];
  value: unknown;
}

export interface ScriptRefusal {
  code: string;
  message: string;
  /** The code of a BLOCKED reason, independent of the language. */
  reason: string | null;
  issues: readonly FieldIssue[];
  /** From the server: `retryAfter`, `count`, `identifiers` … */
  data: unknown;
  /** The current record of a CONFLICT. */
  current: unknown;
  requestId: string | null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listAt = (value: unknown, name: string): readonly unknown[] | null =>
  isRecord(value) && Array.isArray(value[name]) ? (value[name] as unknown[]) : null;

/** Every command's result in one shape. The kit mirrors it as types in qa/kit/result.ts. */
export function answerOf(result: unknown): ScriptAnswer {
  const rows = listAt(result, 'rows')?.filter(isRecord);
  const failed = rows ? rows.filter(({ state }) => state !== 'done') : (listAt(result, 'failed') ?? []).filter(isRecord);
  return { done: doneItems(result), failed: failed.map(failureOf), value: result ?? null };
}

function doneItems(result: unknown): readonly unknown[] {
  const done = listAt(result, 'done');
  if (done) return done.map((one) => (isRecord(one) && isRecord(one['row']) ? one['row'] : one));
  const rows = listAt(result, 'rows');
  if (rows) return rows.filter((row) => isRecord(row) && row['state'] === 'done');
  const entries = listAt(result, 'entries');
  if (entries) return entries;
  if (!isRecord(result)) return [];
  for (const name of ['row', 'entry']) if (isRecord(result[name])) return [result[name]];
  return typeof result['id'] === 'string' ? [result] : [];
}

function failureOf({ id, code, state, note }: Record<string, unknown>): ScriptAnswer['failed'][number] {
  const errorCode = code ?? state;
  const named = typeof errorCode === 'string' ? errorCode.toUpperCase() : 'FAILED';
  return { id: String(id), code: named, message: typeof note === 'string' ? note : (tMaybe(`errors.code.${named}`) ?? named) };
}

export async function scriptRefusal(error: CommandError, id: string): Promise<ScriptRefusal> {
  const command = registry.get(id);
  const names = command?.params ? Object.keys((await command.params.schema()).shape) : [];
  const { issues } = error;
  const data = error.data ?? null;
  return {
    code: error.code,
    message: issues.length > 0 ? issues.map(wordsOf).join('; ') : sentence(),
    reason: error.reason,
    issues,
    data,
    current: isRecord(data) ? (data['current'] ?? null) : null,
    requestId: error.requestId ?? null,
  };

  function wordsOf({ path, rule }: FieldIssue): string {
    if (command?.params && path !== '' && !names.includes(path))
      return `unknown parameter ${path}. ${id} takes ${names.join(', ')}`;
    const label = command?.params?.fields[path]?.label;
    const says = tMaybe(`form.rule.${rule}`, { label: label ? t(label) : path }) ?? rule;
    return path === '' ? says : `${path}: ${says}`;
  }

  function sentence(): string {
    if (error.reason) return t(error.reason, error.values);
    return tMaybe(`errors.code.${error.code}`, error.values) ?? error.message;
  }
}
