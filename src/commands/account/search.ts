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

export const aliases = {
  'go.account': '账号 个人中心 个人设置 安全设置 登录设备 设备 资料 会话 session device security profile setting',
  'account.addTotp':
    '两步验证 二次验证 双重验证 谷歌验证 谷歌验证器 动态码 开启 绑定 2fa totp google-authenticator authenticator enable second-factor',
  'account.removeTotp': '两步验证 二次验证 双重验证 谷歌验证 谷歌验证器 动态码 关闭 解绑 2fa totp google disable turn-off',
  'account.newRecoveryCodes': '备用码 备份码 救援码 重新生成 backup-code regenerate emergency',
  'account.addPasskey': '指纹 指纹登录 人脸 刷脸 新增 安全密钥 webauthn fingerprint face-id yubikey',
  'account.removePasskey': '指纹 指纹登录 人脸 删除 安全密钥 webauthn fingerprint delete yubikey',
  'account.useEnrollmentCode': '输入登记码 登记码 确认双重验证 enter-code enrollment vouch confirm second-factor',
  'account.bindWallet': '换绑 连接钱包 钱包登录 关联 链接钱包 link connect taproot',
  'account.unbindWallet': '取消绑定 断开钱包 移除钱包 unlink disconnect remove',
  'account.linkSso': '企业登录 绑定企业账号 关联企业账号 sso company-account company-sign-in',
  'account.unlinkSso': '企业登录 取消企业账号 解绑企业账号 sso company-account company-sign-in',
  'account.endSession': '下线 登录设备 会话 结束会话 踢掉 sign-out device revoke',
  'account.endOtherSessions': '下线 登录设备 全部退出 会话 其他设备 sign-out device everywhere revoke',
} as const satisfies Aliases;
