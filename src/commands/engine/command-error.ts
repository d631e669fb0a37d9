import type { ErrorCode, FieldIssue } from '../../../api/errors.ts';
import { toApiError, type ApiError, type UnansweredCode } from '../../lib/net/client.ts';
import type { TextKey, MessageValues } from '../../lib/i18n/i18n.ts';
import { joinList } from '../../lib/i18n/punctuation.ts';
import { isUnvouched } from '../../lib/net/errors.ts';
import type { AnyCommand } from './define.ts';
import type { Notice } from './host.ts';

export type CommandRefusal = 'UNKNOWN_COMMAND' | 'NOT_PERMITTED' | 'BLOCKED' | 'INVALID' | 'UNCONFIRMED';

export class CommandError extends Error {
  override name = 'CommandError';
  readonly code: CommandRefusal | ErrorCode | UnansweredCode;
  readonly issues: readonly FieldIssue[];
  readonly reason: TextKey | null;
  values?: MessageValues;
  requestId?: string | null;
  /** As sent by the server. */
  data?: unknown;
  constructor(code: CommandError['code'], message: string, issues: readonly FieldIssue[] = [], reason: TextKey | null = null) {
    super(message);
    this.code = code;
    this.issues = issues;
    this.reason = reason;
  }
}

export function toApiErrorOrThrow(cause: unknown): ApiError {
  if (cause instanceof CommandError) throw cause;
  return toApiError(cause);
}

export function toCommandError(cause: unknown): CommandError {
  if (cause instanceof CommandError) return cause;
  const { code, issues, requestId, data } = toApiError(cause);
  const values = refusalText(data);
  const message = [code, ...Object.values(values), requestId && `(request ${requestId})`].filter(Boolean).join(' ');
  return Object.assign(new CommandError(code, message, issues), { requestId, values, data });
}

export function noticeOf(error: CommandError, command: AnyCommand | undefined): Notice {
  const [issue] = error.issues;
  const label = issue && command?.params?.fields[issue.path]?.label;
  // No form is open to show the issue.
  if (issue && label) return { kind: 'error', key: `form.rule.${issue.rule}`, field: label };
  if (error.reason)
    return {
      kind: 'blocked' as const,
      key: error.reason,
      ...(error.values ? { values: error.values } : {}),
      ...(command ? { of: command.id } : {}),
    };
  const mustVouch = error.code === 'FACTOR_REQUIRED' && isUnvouched(error.data);
  const key: TextKey = mustVouch
    ? 'errors.vouch'
    : error.code === 'NOT_PERMITTED'
      ? 'errors.code.FORBIDDEN'
      : error.code === 'INVALID'
        ? 'errors.code.BAD_REQUEST'
        : error.code === 'UNKNOWN_COMMAND' || error.code === 'BLOCKED' || error.code === 'UNCONFIRMED'
          ? 'errors.generic'
          : `errors.code.${error.code}`;
  return {
    kind: 'error' as const,
    key,
    requestId: error.requestId ?? null,
    ...(error.values ? { values: error.values } : {}),
    ...(mustVouch
      ? { remedy: { label: 'errors.useEnrollmentCode', invocation: { id: 'account.useEnrollmentCode' } } }
      : error.code === 'FACTOR_REQUIRED'
        ? { remedy: { label: 'errors.setUpFactor', invocation: { id: 'account.addTotp' } } }
        : {}),
  };
}

export function refusalText(data: unknown): MessageValues {
  const stringLists = Object.entries(typeof data === 'object' && data !== null ? data : {}).filter(
    ([, value]) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  );
  return Object.fromEntries(stringLists.map(([name, value]) => [name, joinList(value as string[])]));
}
