import type { Access } from '../../api/access/session.ts';
import type { TokenProblem } from '../../api/access/service-values.ts';
import { hasTokenPrefix, isServiceToken } from '../../server/platform/auth/service-accounts/token-format.ts';
import { isServiceScope } from '../../server/platform/auth/service-accounts/service-rights.ts';
import { registry } from '../../src/commands/app/all.ts';
import type { CommandContext } from '../../src/commands/engine/assess.ts';
import { CommandError } from '../../src/commands/engine/command-error.ts';
import type { Invocation } from '../../src/commands/engine/define.ts';
import type { Dispatch, DispatchOutcome } from '../../src/commands/engine/dispatch/interface.ts';
import { exitCodes, ShellError } from './command-output.ts';
import { refuseUnreachable } from './login.ts';

/** Checks the format before any request, so that a mistyped secret is neither sent nor in a header's error. Throws ShellError. */
export function parseToken(text: string): string {
  const token = text.trim();
  if (isServiceToken(token) && hasTokenPrefix(token, 'svc')) return token;
  throw refuseToken(
    isServiceToken(token)
      ? 'is a provisioning token. Use the token of a service account'
      : hasTokenPrefix(token, 'svc')
        ? 'has a wrong checksum, so characters are missing or changed. Copy the token again'
        : 'isn’t the token of a service account. Tokens begin with apanel_svc_',
  );
}

/** Permissions and scopes. Throws ShellError. */
export async function readTokenAccess(origin: string, authorization: string): Promise<Access> {
  const response = await fetch('/api/session', { headers: { authorization } }).catch(refuseUnreachable(origin));
  const body = (await response.json().catch(() => null)) as (Access & TokenRefusal) | null;
  if (response.ok && body) return body;
  if (response.status === 401) throw refuseToken(`${describeProblem(body?.data)}. The panel is ${origin}`);
  if (response.status === 429) throw refuseToken('made too many calls in this minute. Try again later', 'TOO_MANY_REQUESTS');
  throw refuseToken(`wasn’t checked, because ${origin} answered ${response.status}`, body?.code ?? 'NOT_A_PANEL');
}

interface TokenRefusal {
  code?: string;
  data?: { token?: TokenProblem };
}

const problems: Readonly<Record<TokenProblem, string>> = {
  revoked: 'was revoked. Add a token to the service account',
  expired: 'has expired. Add a token to the service account',
  disabled: 'has stopped, because its service account is disabled or has no enabled owner',
  network: 'isn’t allowed from this network. Add the network to the token',
};

const isTokenProblem = (value: unknown): value is TokenProblem => typeof value === 'string' && Object.hasOwn(problems, value);

/** Goes after “PANEL_TOKEN”. `data`: of UNAUTHORIZED. */
export function describeProblem(data: unknown): string {
  const problem = typeof data === 'object' && data !== null && 'token' in data ? data.token : null;
  return isTokenProblem(problem) ? problems[problem] : 'is unknown to this panel. Check PANEL_URL';
}

const refuseToken = (problem: string, code = 'UNAUTHORIZED') =>
  new ShellError(code, exitCodes['not signed in'], `PANEL_TOKEN ${problem}`);

type Granted = Pick<CommandContext, 'codes' | 'paths'>;

/** Null, or NOT_FOR_SERVICES for a command that no token can run, or NOT_PERMITTED with the scope that this token lacks. */
export function findScopeProblem(id: string, { codes, paths }: Granted): CommandError | null {
  const permission = registry.get(id)?.permission ?? 'anyone';
  if (permission === 'anyone') return null;
  if (!isServiceScope(permission)) return new CommandError('NOT_FOR_SERVICES', `${id} needs a person`);
  if ((permission.startsWith('/') ? paths : codes).has(permission)) return null;
  return new CommandError('NOT_PERMITTED', `the token lacks the scope ${permission}. Add a token with this scope`);
}

export async function dispatchWithToken(dispatch: Dispatch, invocation: Invocation, granted: Granted): Promise<DispatchOutcome> {
  const error = findScopeProblem(invocation.id, granted);
  return error ? { status: 'failed', error } : dispatch(invocation, 'script');
}
