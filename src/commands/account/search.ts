import type { OwnSession, Passkey } from '../../../api/account/contract.ts';
import type { RecordKinds, Aliases } from '../engine/resource.ts';
import { ownSessionTarget, passkeyTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    ownSessions: OwnSession;
    passkeys: Passkey;
  }
}

export const records = {
  ownSessions: {
    target: ownSessionTarget,
    place: '/account',
    read: async ({ account }, ids) => (await account.get()).sessions.filter(({ id }) => ids.includes(id)),
  },
  passkeys: {
    target: passkeyTarget,
    place: '/account',
    read: async ({ account }, ids) => (await account.get()).passkeys.filter(({ id }) => ids.includes(id)),
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.account': '账号 个人 会话 安全 sessions security profile',
  'account.addTotp': '两步验证 动态验证码 2fa totp second factor',
  'account.removeTotp': '两步验证 动态验证码 2fa disable',
  'account.newRecoveryCodes': '备用码 backup codes',
  'account.addPasskey': 'webauthn 指纹 fingerprint',
  'account.removePasskey': 'webauthn',
  'account.bindWallet': '连接钱包 地址 address taproot',
  'account.unbindWallet': '地址 address remove',
  'account.endSession': '下线 sign out device',
  'account.endOtherSessions': '下线 sign out devices',
} as const satisfies Aliases;
