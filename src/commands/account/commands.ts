import { accountNames } from '../../../api/account/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { defineCommand, blockedBecause, noTarget, oneTarget, type CommandResult } from '../engine/define.ts';
import { paramSpec } from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { refreshAccess } from '../../lib/session/access.ts';
import { goToProvider } from '../../lib/session/start-sso.ts';
import { describeBrowser } from '../../lib/user-agent.ts';
import { unlessOwn } from './own.ts';
import { ssoProblem } from './shared/provider.ts';

addNames(accountNames);

export const ownSessionTarget = targetOf('ownSessions', ({ userAgent }) => describeBrowser(userAgent));
export const passkeyTarget = targetOf('passkeys', ({ name }) => name);

const screenPath = '/account';
const accountCommand = { permission: 'anyone', place: screenPath, target: noTarget, params: null } as const;

export const account = [
  defineCommand({
    ...accountCommand,
    id: 'account.addTotp',
    icon: 'key-round',
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui }) => ui.openFactor({ kind: 'totp' }),
  }),
  defineCommand({
    ...accountCommand,
    id: 'account.removeTotp',
    icon: 'trash-2',
    ...unlessOwn(({ totp }) => (totp ? null : 'account.blocked.noTotp')),
    danger: 'irreversible',
    run: ({ api }) => api.account.removeTotp(),
    done: (): CommandResult => ({ stale: ['account'] }),
  }),
  defineCommand({
    ...accountCommand,
    id: 'account.newRecoveryCodes',
    icon: 'refresh-cw',
    ...unlessOwn(({ totp, passkeys }) => (totp || passkeys.length > 0 ? null : 'account.blocked.noFactor')),
    danger: 'irreversible',
    run: async ({ api, ui }) => {
      const { recoveryCodes: codes } = await api.account.newRecoveryCodes();
      ui.openFactor({ kind: 'codes', codes });
    },
    done: (): CommandResult => ({ stale: ['account'] }),
  }),
  defineCommand({
    ...accountCommand,
    id: 'account.addPasskey',
    icon: 'plus',
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui }) => ui.openFactor({ kind: 'passkey' }),
  }),
  defineCommand({
    ...accountCommand,
    id: 'account.useEnrollmentCode',
    icon: 'shield-check',
    params: paramSpec(() => import('../../../api/account/contract.ts').then(({ enrollmentCodeUse }) => enrollmentCodeUse), {
      enrollmentCode: { as: 'text', label: 'account.field.enrollmentCode', hint: 'account.field.enrollmentCodeHint' },
    }),
    danger: 'none',
    excludeFromHistory: true,
    run: async ({ api, params: code }) => {
      await api.account.useEnrollmentCode(code);
      await refreshAccess().catch(() => {});
    },
    done: (): CommandResult => ({ stale: ['account'] }),
  }),
  defineCommand({
    ...accountCommand,
    id: 'account.removePasskey',
    icon: 'trash-2',
    target: oneTarget('passkeys'),
    danger: 'irreversible',
    run: async ({ api, targets: [target] }) => {
      if (target) await api.account.removePasskey({ id: target.id });
    },
    done: (): CommandResult => ({ stale: ['account'] }),
  }),
  defineCommand({
    ...accountCommand,
    id: 'account.linkSso',
    icon: 'link',
    when: () => ssoProblem() ?? true,
    danger: 'none',
    excludeFromHistory: true,
    run: async ({ api }) => {
      await goToProvider(() => api.account.linkSso());
    },
  }),
  defineCommand({
    ...accountCommand,
    id: 'account.unlinkSso',
    icon: 'unlink',
    ...unlessOwn(({ sso }) => (sso ? null : 'account.blocked.notLinked')),
    danger: 'irreversible',
    run: ({ api }) => api.account.unlinkSso(),
    done: (): CommandResult => ({ stale: ['account'] }),
  }),
  defineCommand({
    ...accountCommand,
    id: 'account.endSession',
    icon: 'log-out',
    target: oneTarget('ownSessions'),
    when: ({ targets: [target] }) => !target?.row.current || blockedBecause('account.blocked.current'),
    danger: 'irreversible',
    run: async ({ api, targets: [target] }) => {
      if (target) await api.account.endSession({ id: target.id });
    },
    done: (): CommandResult => ({ stale: ['account'] }),
  }),
  defineCommand({
    ...accountCommand,
    id: 'account.endOtherSessions',
    icon: 'log-out',
    danger: 'irreversible',
    run: ({ api }) => api.account.endOtherSessions(),
    done: ({ ended }): CommandResult => ({ stale: ['account'], toast: { key: 'account.ended', values: { ended } } }),
  }),
];
