import { ORPCError } from '@orpc/server';
import { errorStatus, type ErrorCode, type FieldIssue } from '../../../api/errors.ts';
import { validationRules, type ValidationRule } from '../../../api/validation-rules.ts';
import { getDatabaseErrorCode } from './error-code.ts';
import { findRootCause } from './log.ts';

export type ErrorData = Readonly<Record<string, unknown>>;

export type AppError = ORPCError<ErrorCode, ErrorData | undefined>;

export function createAppError(code: ErrorCode, data?: ErrorData, cause?: unknown): AppError {
  return new ORPCError(code, { status: errorStatus[code], message: messages[code], data, cause });
}

const refusalCodes: ReadonlySet<string> = new Set([
  'FORBIDDEN',
  'NETWORK',
  'NOT_FOR_SERVICES',
  'NOT_HERE',
  'GRANT_BEYOND_OWN',
  'OWN_ACCESS',
  'HOLDS_MORE',
  'LAST_ACCESS',
  'GUARDED_ROLE',
  'MONEY_REFUSED',
  'CRSM_REFUSED',
] satisfies ErrorCode[]);

/** The person was refused, not the input: audited. */
export const isRefusal = (error: unknown): error is AppError => error instanceof ORPCError && refusalCodes.has(error.code);

export const isAppError = (error: unknown, code: ErrorCode): error is AppError =>
  error instanceof ORPCError && error.code === code;

export const toCatalogCode = (error: unknown): ErrorCode =>
  error instanceof ORPCError && error.code in errorStatus ? (error.code as ErrorCode) : 'INTERNAL';

export const createFieldError = (path: string, rule: ValidationRule = 'invalid') =>
  createAppError('BAD_REQUEST', { issues: [{ path, rule }] satisfies FieldIssue[] });

const messages: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The request is invalid. Check data.issues.',
  UNAUTHORIZED: 'Sign in first.',
  SIGN_IN_FAILED: 'The email or the password is wrong.',
  NO_ACCOUNT: 'No account was detected.',
  SSO_FAILED: 'Single sign-on failed. Check data.reason.',
  CODE_WRONG: 'The verification code is wrong or expired.',
  FACTOR_WRONG: 'The second factor is wrong.',
  FACTOR_STALE: 'Confirm your second factor, or your password if you have none, and try again.',
  PASSWORD_REQUIRED: 'Choose your own password first.',
  FACTOR_REQUIRED: 'This requires a second factor. Set one up first.',
  FORBIDDEN: 'You don’t have permission to do this.',
  NETWORK: 'Your role isn’t active on this network. See data.inactiveRoles.',
  NOT_FOR_SERVICES: 'Only a person can do this. Sign in to the panel.',
  NOT_HERE: 'A session of panel login can’t do this. Use the panel in the browser.',
  VIEW_ONLY: 'Nothing can be changed while the panel is viewed as a role or person.',
  GRANT_BEYOND_OWN: 'You can’t grant permissions that you don’t have.',
  OWN_ACCESS: 'You can’t change your own roles or status, or loosen a role that you have.',
  HOLDS_MORE: 'This administrator has permissions that you don’t have.',
  NOT_FOUND: 'Not found.',
  CONFLICT: 'The record has changed since you loaded it. Load it again.',
  IN_PROGRESS: 'A request with this Idempotency-Key is still running.',
  DRIFTED: 'The records that match the filter have changed. Load them again.',
  INCOMPLETE: 'The record lacks required fields. Check data.fields.',
  ADDRESS_TAKEN: 'This address is linked to another administrator.',
  LAST_ACCESS: 'At least one person must be able to manage access.',
  GUARDED_ROLE: 'Roles that grant guarded permissions can’t come from the identity provider.',
  IDP_MANAGED: 'The identity provider manages this setting. Change the setting there.',
  PROVIDER_REQUIRED: 'The account has to sign in through the identity provider. Ask an access administrator to unlink it.',
  LAST_SIGN_IN_METHOD: 'This account would have no way to sign in. Link a wallet first.',
  BALANCE_TOO_LOW: 'A balance would fall below zero.',
  NOT_REVERSIBLE: 'An entry can be reversed once. A reversal can’t be reversed.',
  MONEY_FROZEN: 'Money is frozen. Try again when the freeze is lifted.',
  JOIN_REFUSED: 'These news items can’t be joined, or the join can’t be undone. Check data.reason.',
  IN_USE: 'The record is in use. Check data.by.',
  ALREADY_IMPORTED: 'This file has already been imported.',
  DEPOSIT_KNOWN: 'Another deposit already uses this transaction output.',
  MONEY_REFUSED: 'A money rule doesn’t allow this. Check data.reason.',
  CRSM_REFUSED: 'The call would fail in the current chain state. Check data.reason.',
  BUILT_ON: 'This can’t be undone because later changes depend on it.',
  ATTEMPT_GONE: 'This sign-in took too long. Start again.',
  LINK_GONE: 'This link was already used or has expired.',
  PAYLOAD_TOO_LARGE: 'The request body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'Send application/json.',
  PICTURE_REFUSED: 'The picture can’t be used. Check data.reason.',
  PICTURE_QUOTA: 'You have reached the limit of pictures for one day.',
  IDEMPOTENCY_MISMATCH: 'This Idempotency-Key was already used for a different request.',
  EXPORT_FAILED: 'The export failed. See data.problem.',
  EXPORT_LIMIT: 'You already run as many exports as allowed. Wait for one to end, or stop one.',
  TOO_MANY_REQUESTS: 'Too many requests. Wait data.retryAfter seconds.',
  INTERNAL: 'Something went wrong on the server.',
  UNAVAILABLE: 'Not available right now. Try again soon.',
  SSO_OFF: 'No identity provider is configured on this server.',
  MAIL_FAILED: 'The SMTP server didn’t accept the email, so no code was sent. Try again in a minute.',
  MAIL_OFF: 'Email isn’t set up on this server, so codes can’t be sent.',
};

/** Hides internals. */
export function toAppError(error: unknown): AppError {
  if (error instanceof ORPCError) return convertOrpcError(error);
  const cause = findRootCause(error);
  const code = getDatabaseErrorCode(cause);
  if (code !== null && code.startsWith('22')) return createAppError('BAD_REQUEST', { issues: [] }, cause);
  if (isUnavailable(cause, code)) return createAppError('UNAVAILABLE', undefined, cause);
  return createAppError('INTERNAL', undefined, cause);
}

function convertOrpcError(error: ORPCError<string, unknown>): AppError {
  const { code, data } = error;
  if (code === 'BAD_REQUEST') return createAppError('BAD_REQUEST', { issues: parseFieldIssues(data) }, error.cause);
  if (code in errorStatus) return createAppError(code as ErrorCode, isRecord(data) ? data : undefined, error.cause);
  if (code === 'METHOD_NOT_SUPPORTED') return createAppError('NOT_FOUND', undefined, error);
  return createAppError('INTERNAL', undefined, error.cause ?? error);
}

/** A check's message is the rule's name. Anything else is 'invalid'. */
function parseFieldIssues(data: unknown): FieldIssue[] {
  const issues: unknown = isRecord(data) ? data['issues'] : null;
  if (!Array.isArray(issues)) return [];
  return issues.slice(0, 50).map((issue: unknown) => {
    if (!isRecord(issue)) return { path: '', rule: 'invalid' };
    const path = Array.isArray(issue['path'])
      ? issue['path'].map(pathSegment).join('.')
      : typeof issue['path'] === 'string'
        ? issue['path']
        : '';
    const rule = issue['rule'] ?? issue['message'];
    return { path: path.slice(0, 200), rule: isRule(rule) ? rule : 'invalid' };
  });
}

const pathSegment = (segmentValue: unknown) => String(isRecord(segmentValue) ? segmentValue['key'] : segmentValue);
const isRule = (value: unknown): value is ValidationRule => validationRules.some((knownRule) => knownRule === value);

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

// Citus reports a machine that fails during a commit as XX000.
// PostgreSQL classes: 08 connection, 53 resources, 57 intervention, 58 system; 55P03 lock timeout, 25006 read-only host.
const isUnavailable = (error: unknown, code: string | null) =>
  (code !== null &&
    /^(08|53|57|58)...$|^55P03$|^25P0[34]$|^25006$|^40001$|^40P01$|^E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_)/.test(code)) ||
  (error instanceof Error &&
    /^could not commit transaction for shard |^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error|^Query read timeout/.test(
      error.message,
    ));
