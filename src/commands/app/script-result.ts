import type { FieldIssue } from '../../../api/errors.ts';
import { t, tMaybe } from '../../lib/i18n/i18n.ts';
import type { CommandError } from '../engine/command-error.ts';
import { registry } from './registry.ts';

/** A script gets the same answer shape from every command. */
export interface ScriptResult {
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
const listProperty = (value: unknown, name: string): readonly unknown[] | null =>
  isRecord(value) && Array.isArray(value[name]) ? (value[name] as unknown[]) : null;

/** Every command's result in one shape. The kit mirrors it as types in qa/kit/result.ts. */
export function toScriptResult(result: unknown): ScriptResult {
  const rows = listProperty(result, 'rows')?.filter(isRecord);
  const failedRows = rows
    ? rows.filter(({ state }) => state !== 'done')
    : (listProperty(result, 'failed') ?? []).filter(isRecord);
  return { done: doneItems(result), failed: failedRows.map(toScriptFailure), value: result ?? null };
}

function doneItems(result: unknown): readonly unknown[] {
  const doneRows = listProperty(result, 'done');
  if (doneRows) return doneRows.map((item) => (isRecord(item) && isRecord(item['row']) ? item['row'] : item));
  const rows = listProperty(result, 'rows');
  if (rows) return rows.filter((row) => isRecord(row) && row['state'] === 'done');
  const entries = listProperty(result, 'entries');
  if (entries) return entries;
  if (!isRecord(result)) return [];
  for (const name of ['row', 'entry']) if (isRecord(result[name])) return [result[name]];
  return typeof result['id'] === 'string' ? [result] : [];
}

function toScriptFailure({ id, code, state, note }: Record<string, unknown>): ScriptResult['failed'][number] {
  const errorCode = code ?? state;
  const upperCaseCode = typeof errorCode === 'string' ? errorCode.toUpperCase() : 'FAILED';
  return {
    id: String(id),
    code: upperCaseCode,
    message: typeof note === 'string' ? note : (tMaybe(`errors.code.${upperCaseCode}`) ?? upperCaseCode),
  };
}

export async function buildScriptRefusal(error: CommandError, id: string): Promise<ScriptRefusal> {
  const command = registry.get(id);
  const names = command?.params ? Object.keys((await command.params.schema()).shape) : [];
  const { issues } = error;
  const data = error.data ?? null;
  return {
    code: error.code,
    message: issues.length > 0 ? issues.map(issueText).join('; ') : reasonSentence(),
    reason: error.reason,
    issues,
    data,
    current: isRecord(data) ? (data['current'] ?? null) : null,
    requestId: error.requestId ?? null,
  };

  function issueText({ path, rule }: FieldIssue): string {
    if (command?.params && path !== '' && !names.includes(path))
      return `unknown parameter ${path}. ${id} takes ${names.join(', ')}`;
    const label = command?.params?.fields[path]?.label;
    const ruleText = tMaybe(`form.rule.${rule}`, { label: label ? t(label) : path }) ?? rule;
    return path === '' ? ruleText : `${path}: ${ruleText}`;
  }

  function reasonSentence(): string {
    if (error.reason) return t(error.reason, error.values);
    return tMaybe(`errors.code.${error.code}`, error.values) ?? error.message;
  }
}
