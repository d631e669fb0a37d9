import { expect, test } from 'vitest';
import { newServiceToken } from '../../server/platform/auth/service-accounts/token-format.ts';
import { CommandError } from '../../src/commands/engine/command-error.ts';
import { toCommandOutput } from './command-output.ts';
import { describeProblem, findScopeProblem, parseToken } from './token.ts';

const errorOf = (text: string): string => {
  try {
    return `accepted ${parseToken(text)}`;
  } catch (error) {
    return (error as Error).message;
  }
};

test('a service token is accepted, also with the line break of a secret file', () => {
  const token = newServiceToken();
  expect(parseToken(token)).toBe(token);
  expect(parseToken(`${token}\n`)).toBe(token);
});

test('a token that can’t be right is refused with the reason and without the text', () => {
  const token = newServiceToken();
  const changed = `${token.slice(0, 20)}${token[20] === 'a' ? 'b' : 'a'}${token.slice(21)}`;
  for (const wrong of [changed, token.slice(0, -1), `${token}0`, `${token} x`, `${token}\nx`, 'apanel_svc_'])
    expect(errorOf(wrong)).toBe('PANEL_TOKEN has a wrong checksum, so characters are missing or changed. Copy the token again');
  expect(errorOf(newServiceToken('scim'))).toBe('PANEL_TOKEN is a provisioning token. Use the token of a service account');
  for (const wrong of ['harbour lantern', `Bearer ${token}`, ''])
    expect(errorOf(wrong)).toBe('PANEL_TOKEN isn’t the token of a service account. Tokens begin with apanel_svc_');
});

test('each reason of the server has its own sentence', () => {
  const sentences = ['expired', 'revoked', 'disabled', 'network'].map((token) => describeProblem({ token }));
  expect(new Set(sentences).size).toBe(4);
  const unknown = describeProblem({ token: 'toString' });
  expect(unknown).toBe('is unknown to this panel. Check PANEL_URL');
  for (const data of [null, undefined, 'x', {}, { revoked: true }]) expect(describeProblem(data)).toBe(unknown);
});

test('a command is refused by what no token can have, then by the scope that this token lacks', () => {
  const granted = { codes: new Set(['news.add']), paths: new Set(['/news']) };
  expect(findScopeProblem('news.add', granted)).toBeNull();
  expect(findScopeProblem('go.news', granted)).toBeNull();
  expect(findScopeProblem('news.delete', granted)).toMatchObject({
    code: 'NOT_PERMITTED',
    message: expect.stringContaining('news.delete'),
  });
  expect(findScopeProblem('go.notices', granted)).toMatchObject({ code: 'NOT_PERMITTED' });
  // Even if the database gave the token these rights.
  const everything = { codes: new Set(['news.show', 'deposits.confirm', 'roles.add', 'points.adjust']), paths: new Set(['/']) };
  for (const id of ['news.show', 'deposits.confirm', 'roles.add', 'points.adjust'])
    expect(findScopeProblem(id, everything), id).toMatchObject({ code: 'NOT_FOR_SERVICES' });
});

test('the exit code says whether a refusal, a signed-out token or the network stopped a command', async () => {
  const exitOf = async (code: CommandError['code']) =>
    (await toCommandOutput({ status: 'failed', error: new CommandError(code, code) }, 'news.add')).exit;
  const codes = ['INVALID', 'NOT_PERMITTED', 'NOT_FOR_SERVICES', 'NOT_HERE', 'CONFLICT', 'OFFLINE', 'UNAUTHORIZED'] as const;
  expect(await Promise.all(codes.map(exitOf))).toEqual([2, 3, 3, 3, 4, 6, 7]);
});
