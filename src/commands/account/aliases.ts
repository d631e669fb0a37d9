import type { Aliases } from '../engine/resource.ts';

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.account': '个人 会话 安全 sessions security profile',
  'account.addTotp': '两步验证 2fa totp second factor',
  'account.removeTotp': '两步验证 2fa disable',
  'account.newRecoveryCodes': '备用码 backup codes',
  'account.addPasskey': 'webauthn 指纹 fingerprint',
  'account.removePasskey': 'webauthn',
  'account.bindWallet': '连接钱包 地址 address taproot',
  'account.unbindWallet': '地址 address remove',
  'account.endSession': '下线 sign out device',
  'account.endOtherSessions': '下线 sign out devices',
} as const satisfies Aliases;
