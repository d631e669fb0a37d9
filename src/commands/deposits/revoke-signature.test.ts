import { expect, test } from 'vitest';
import type { DepositRow } from '../../../api/deposits/contract.ts';
import { build } from '../../../testing/factories/build.ts';
import { assess, type CommandContext } from '../engine/assess.ts';
import type { AnyCommand } from '../engine/define.ts';
import { deposits, depositTarget } from './commands.ts';

const context: CommandContext = {
  signedIn: true,
  codes: new Set(['deposits.confirm']),
  paths: new Set(),
  viewContext: null,
  expert: false,
};
const command: AnyCommand | undefined = deposits.find(({ id }) => id === 'deposits.revokeSignature');
const assessRevocation = (change: Partial<DepositRow>, codes = context.codes) => {
  if (!command) throw new Error('there is no deposits.revokeSignature');
  return assess(command, { ...context, codes }, [depositTarget(build.deposit(change))]);
};
const at = '2026-11-27T10:00:00.000Z';
const ownApproval = { email: 'you@demo.local', at, own: true };
const otherApproval = { email: 'other@demo.local', at, own: false };

test('only a signer whose signature is the only one can revoke it', () => {
  expect(assessRevocation({ approvals: [ownApproval] })).toEqual({ state: 'ok' });
  expect(assessRevocation({ approvals: [] })).toMatchObject({ reason: 'deposits.blocked.noOwnSignature' });
  expect(assessRevocation({ approvals: [otherApproval] })).toMatchObject({ reason: 'deposits.blocked.noOwnSignature' });
  expect(assessRevocation({ approvals: [ownApproval, otherApproval] })).toMatchObject({
    reason: 'deposits.blocked.othersSigned',
  });
  expect(assessRevocation({ approvals: [ownApproval], status: 'confirmed' })).toMatchObject({
    reason: 'deposits.blocked.noSignatureLeft',
  });
});

test('revoking a signature needs the permission to sign', () => {
  expect(assessRevocation({ approvals: [ownApproval] }, new Set())).toEqual({ state: 'hidden' });
});
