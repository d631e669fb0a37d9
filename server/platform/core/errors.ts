import { ORPCError } from '@orpc/server';
import { errorStatus, type ErrorCode, type FieldIssue } from '../../../api/errors.ts';
import { rules, type Rule } from '../../../api/validation-rules.ts';
import { codeOf } from './error-code.ts';
import { rootCause } from './log.ts';

/** What may go with a code; see api/errors.ts. */
export type FailureData = Readonly<Record<string, unknown>>;

/** An answer of the closed catalogue, thrown. */
export type Failure = ORPCError<ErrorCode, FailureData | undefined>;

/** Makes the error to throw for a code of the catalogue: `throw failure('NOT_FOUND')`. */
export function failure(code: ErrorCode, data?: FailureData, cause?: unknown): Failure {
  return new ORPCError(code, { status: errorStatus[code], message: messages[code], data, cause });
}

const refusals: ReadonlySet<string> = new Set([
  'FORBIDDEN',
  'GRANT_BEYOND_OWN',
  'OWN_ACCESS',
  'HOLDS_MORE',
  'LAST_ACCESS',
  'MONEY_REFUSED',
  'CRSM_REFUSED',
] satisfies ErrorCode[]);

/** Whether a write was refused for who asked, not for what was sent: that leaves a row in the audit. */
export const isRefusal = (error: unknown): error is Failure => error instanceof ORPCError && refusals.has(error.code);

/** Whether this code of the catalogue was thrown. */
export const isFailure = (error: unknown, code: ErrorCode): error is Failure => error instanceof ORPCError && error.code === code;

/** The code that a client is answered for what was thrown. */
export const catalogCode = (error: unknown): ErrorCode =>
  error instanceof ORPCError && error.code in errorStatus ? (error.code as ErrorCode) : 'INTERNAL';

/** BAD_REQUEST for one field. */
export const badField = (path: string, rule: Rule = 'invalid') =>
  failure('BAD_REQUEST', { issues: [{ path, rule }] satisfies FieldIssue[] });

// For people who integrate and read English; the panel has its own words per code.
const messages: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The request is not what this route takes.',
  UNAUTHORIZED: 'Sign in first.',
  SIGN_IN_FAILED: 'The email or the password is wrong.',
  NO_ACCOUNT: 'No account was detected.',
  CODE_WRONG: 'The verification code is wrong or too old.',
  FACTOR_WRONG: 'The second factor is wrong.',
  FACTOR_STALE: 'Show your second factor again first, or without one your password.',
  PASSWORD_REQUIRED: 'Choose a password of your own first.',
  FACTOR_REQUIRED: 'Your role needs a second factor: set one up first.',
  FORBIDDEN: 'You may not do this.',
  GRANT_BEYOND_OWN: 'You cannot grant what you do not hold yourself.',
  OWN_ACCESS: 'You cannot change your own roles or status.',
  HOLDS_MORE: 'They hold rights that you do not.',
  NOT_FOUND: 'There is no such thing.',
  CONFLICT: 'The record has changed since you read it.',
  IN_PROGRESS: 'A request with this Idempotency-Key is still being worked on.',
  DRIFTED: 'What matches the filter has changed since you read it.',
  INCOMPLETE: 'The record lacks what this step needs.',
  ADDRESS_TAKEN: 'This address is bound to another administrator.',
  LAST_ACCESS: 'Nobody would be left who can manage access.',
  BALANCE_TOO_LOW: 'A balance would be below zero.',
  NOT_REVERSIBLE: 'An entry can be reversed once, and a reversal not at all.',
  MONEY_FROZEN: 'Money is frozen: nothing goes on until that is lifted.',
  IN_USE: 'It is in use.',
  ALREADY_IMPORTED: 'The same file was imported before.',
  DEPOSIT_KNOWN: 'A deposit with this transaction output is recorded already.',
  MONEY_REFUSED: 'A rule of money says no.',
  CRSM_REFUSED: 'The chain would refuse this call as it stands.',
  BUILT_ON: 'It cannot be taken back: something builds on it.',
  ATTEMPT_GONE: 'This sign-in took too long; start again.',
  LINK_GONE: 'This link was used already or is too old.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'Send application/json.',
  PICTURE_REFUSED: 'The picture cannot be taken.',
  PICTURE_QUOTA: 'The pictures that one person may send in a day are used up.',
  IDEMPOTENCY_MISMATCH: 'This Idempotency-Key was used for another request.',
  TOO_MANY_REQUESTS: 'Too many requests; wait a little.',
  INTERNAL: 'Something went wrong here.',
  UNAVAILABLE: 'Not available right now; try again soon.',
  MAIL_OFF: 'This server has no mail server to send codes with.',
};

/** Whatever was thrown, as an answer of the catalogue: nothing of the inside goes out. */
export function toFailure(error: unknown): Failure {
  if (error instanceof ORPCError) return fromOrpc(error);
  const root = rootCause(error);
  const code = codeOf(root);
  if (code !== null && code.startsWith('22')) return failure('BAD_REQUEST', { issues: [] }, root);
  if (isUnavailable(root, code)) return failure('UNAVAILABLE', undefined, root);
  return failure('INTERNAL', undefined, root);
}

function fromOrpc(error: ORPCError<string, unknown>): Failure {
  const { code, data } = error;
  if (code === 'BAD_REQUEST') return failure('BAD_REQUEST', { issues: fieldIssues(data) }, error.cause);
  if (code in errorStatus) return failure(code as ErrorCode, isRecord(data) ? data : undefined, error.cause);
  if (code === 'METHOD_NOT_SUPPORTED') return failure('NOT_FOUND', undefined, error);
  return failure('INTERNAL', undefined, error.cause ?? error);
}

/** Broken rules by field. A check's message is the rule's name; whatever else broke is 'invalid'. */
function fieldIssues(data: unknown): FieldIssue[] {
  const issues: unknown = isRecord(data) ? data['issues'] : null;
  if (!Array.isArray(issues)) return [];
  return issues.slice(0, 50).map((issue: unknown) => {
    if (!isRecord(issue)) return { path: '', rule: 'invalid' };
    const path = Array.isArray(issue['path'])
      ? issue['path'].map(segment).join('.')
      : typeof issue['path'] === 'string'
        ? issue['path']
        : '';
    const rule = issue['rule'] ?? issue['message'];
    return { path: path.slice(0, 200), rule: isRule(rule) ? rule : 'invalid' };
  });
}

const segment = (part: unknown) => String(isRecord(part) ? part['key'] : part);
const isRule = (value: unknown): value is Rule => rules.some((rule) => rule === value);

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

// Classes of PostgreSQL: 08 connection, 53 resources, 57 intervention (shutdown, statement clock), 58 system, 55P03 lock clock,
// 25006 a host that takes no writes any more.
const isUnavailable = (error: unknown, code: string | null) =>
  (code !== null &&
    /^(08|53|57|58)...$|^55P03$|^25P0[34]$|^25006$|^40001$|^40P01$|^E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_)/.test(code)) ||
  (error instanceof Error &&
    /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error|^Query read timeout/.test(
      error.message,
    ));
