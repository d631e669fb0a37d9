import type { Name } from '../naming.ts';

export const accountNames = {
  'account.addTotp': { zh: '设置身份验证器应用', en: 'Set up authenticator app' },
  'account.removeTotp': { zh: '移除身份验证器应用', en: 'Remove authenticator app' },
  'account.newRecoveryCodes': { zh: '更换恢复码', en: 'Generate new recovery codes' },
  'account.addPasskey': { zh: '添加通行密钥', en: 'Add passkey' },
  'account.removePasskey': { zh: '移除通行密钥', en: 'Remove passkey' },
  'account.useEnrollmentCode': { zh: '使用登记码', en: 'Use enrollment code' },
  'account.bindWallet': { zh: '绑定我的钱包', en: 'Link my wallet' },
  'account.unbindWallet': { zh: '解绑我的钱包', en: 'Unlink my wallet' },
  'account.linkSso': { zh: '关联单点登录', en: 'Link my single sign-on' },
  'account.unlinkSso': { zh: '解除我的单点登录关联', en: 'Unlink my single sign-on' },
  'account.endSession': { zh: '退出指定设备', en: 'End a session' },
  'account.endOtherSessions': { zh: '退出其他设备', en: 'End my other sessions' },
} as const satisfies Record<string, Name>;
