import type { BilingualText } from '../../core/wording.ts';
import type { MailTexts } from '../../content/bilingual-mail.ts';

export const tokenMail: MailTexts = {
  subject: { zh: '{{what}}', en: '{{what}}' },
  body: {
    zh: '{{what}}。\n\n{{holder}}\n令牌：{{token}}（末四位 {{lastFour}}）\n{{detail}}\n{{next}}\n打开：{{url}}',
    en: '{{what}}.\n\n{{holder}}\nToken: {{token}} (ends in {{lastFour}})\n{{detail}}\n{{next}}\nOpen: {{url}}',
  },
};

export const ownersChangedMail: MailTexts = {
  subject: { zh: '服务账号的负责人已变更', en: 'Owners of a service account were changed' },
  body: {
    zh: '服务账号的负责人已变更。\n\n服务账号：{{account}}\n操作人：{{by}}\n原负责人：{{before}}\n现负责人：{{after}}\n\n如果您对此不知情，请立即联系其他管理员。\n打开：{{url}}',
    en: 'The owners of a service account were changed.\n\nService account: {{account}}\nBy: {{by}}\nBefore: {{before}}\nNow: {{after}}\n\nIf you didn’t expect this, tell another administrator right away.\nOpen: {{url}}',
  },
};

const unexpected: BilingualText = {
  zh: '如果您对此不知情，请立即吊销令牌并联系其他管理员。',
  en: 'If you didn’t expect this, revoke the token and tell another administrator right away.',
};
const replaceLeaked: BilingualText = {
  zh: '请检查操作日志中该令牌的操作，并为脚本新增令牌。',
  en: 'Check what the token did in the audit log, and add a new token for the script.',
};

/** `detail` has {{by}}, {{ip}}, {{time}} or {{until}}. */
export const tokenNotices = {
  added: {
    what: { zh: '服务账号新增了令牌', en: 'A token was added to a service account' },
    detail: { zh: '操作人：{{by}}\n有效期至：{{until}}\n', en: 'By: {{by}}\nExpires: {{until}}\n' },
    next: unexpected,
  },
  rotated: {
    what: { zh: '服务账号的令牌已轮换', en: 'A token of a service account was rotated' },
    detail: { zh: '操作人：{{by}}\n旧令牌失效时间：{{until}}\n', en: 'By: {{by}}\nThe old token ends: {{until}}\n' },
    next: unexpected,
  },
  revoked: {
    what: { zh: '服务账号的令牌已吊销', en: 'A token of a service account was revoked' },
    detail: { zh: '操作人：{{by}}\n时间：{{time}}\n', en: 'By: {{by}}\nTime: {{time}}\n' },
    next: { zh: '使用该令牌的脚本已停止工作。', en: 'Scripts that use the token no longer work.' },
  },
  leaked: {
    what: { zh: '令牌已泄露并已吊销', en: 'A token was leaked and has been revoked' },
    detail: { zh: '时间：{{time}}\n报告方 IP 地址：{{ip}}\n', en: 'Time: {{time}}\nReported from IP address: {{ip}}\n' },
    next: replaceLeaked,
  },
  idle: {
    what: { zh: '长期未使用的令牌已吊销', en: 'An unused token was revoked' },
    detail: { zh: '时间：{{time}}\n', en: 'Time: {{time}}\n' },
    next: { zh: '如脚本仍需使用，请新增令牌。', en: 'If a script still needs access, add a new token.' },
  },
  expiring: {
    what: { zh: '服务账号的令牌即将到期', en: 'A token of a service account is about to expire' },
    detail: { zh: '有效期至：{{until}}\n', en: 'Expires: {{until}}\n' },
    next: { zh: '请轮换令牌，并更新使用该令牌的脚本。', en: 'Rotate the token and update the scripts that use it.' },
  },
  newNetwork: {
    what: { zh: '令牌首次在新网络中使用', en: 'A token was used from a new network' },
    detail: { zh: '时间：{{time}}\nIP 地址：{{ip}}\n', en: 'Time: {{time}}\nIP address: {{ip}}\n' },
    next: unexpected,
  },
} as const satisfies Record<string, { what: BilingualText; detail: BilingualText; next: BilingualText }>;
export type TokenNotice = keyof typeof tokenNotices;

export const tokenHolder = {
  service: { zh: '服务账号：{{account}}', en: 'Service account: {{account}}' },
  provisioning: { zh: '用途：账号同步（SCIM）', en: 'Used for: provisioning (SCIM)' },
} as const satisfies Record<string, BilingualText>;

const syncStopped: BilingualText = {
  zh: '账号同步已停止，离职人员的账户不会自动停用。请新增同步令牌。',
  en: 'The identity provider can no longer update accounts, so accounts of people who leave aren’t disabled. Add a provisioning token.',
};

/** Replace the texts of `tokenNotices`. */
export const provisioningTokenNotices: Record<TokenNotice, { what: BilingualText; next: BilingualText }> = {
  added: { what: { zh: '已新增同步令牌', en: 'A provisioning token was added' }, next: unexpected },
  rotated: { what: { zh: '同步令牌已轮换', en: 'A provisioning token was rotated' }, next: unexpected },
  revoked: { what: { zh: '同步令牌已吊销', en: 'A provisioning token was revoked' }, next: syncStopped },
  leaked: {
    what: { zh: '同步令牌已泄露并已吊销', en: 'A provisioning token was leaked and has been revoked' },
    next: syncStopped,
  },
  idle: { what: { zh: '长期未使用的同步令牌已吊销', en: 'An unused provisioning token was revoked' }, next: syncStopped },
  expiring: {
    what: { zh: '同步令牌即将到期', en: 'A provisioning token is about to expire' },
    next: {
      zh: '请新增同步令牌，并填入身份提供商的设置。',
      en: 'Add a provisioning token and enter it in the settings of the identity provider.',
    },
  },
  newNetwork: {
    what: { zh: '同步令牌首次在新网络中使用', en: 'A provisioning token was used from a new network' },
    next: unexpected,
  },
};

export const ownerlessMail: MailTexts = {
  subject: { zh: '服务账号没有可用的负责人', en: 'A service account has no enabled owner' },
  body: {
    zh: '服务账号 {{account}} 的负责人均已停用或删除，令牌已停止工作。\n\n请添加负责人，或停用该服务账号。\n打开：{{url}}',
    en: 'All owners of service account {{account}} are disabled or deleted, so its tokens have stopped.\n\nAdd an owner, or disable the service account.\nOpen: {{url}}',
  },
};

export const moneyScopesMail: MailTexts = {
  subject: { zh: '服务账号已获得资金操作的权限', en: 'A service account now has permissions for money operations' },
  body: {
    zh: '{{by}}为服务账号 {{account}} 的令牌 {{token}} 授予了以下权限：\n{{scopes}}\n\n时间：{{time}}\nIP 地址：{{ip}}\n\n以上权限不能转移资金。如果您对此不知情，请立即联系安全负责人。\n打开：{{url}}',
    en: '{{by}} gave token {{token}} of service account {{account}} these permissions:\n{{scopes}}\n\nTime: {{time}}\nIP address: {{ip}}\n\nThese permissions can’t move money. If you didn’t expect this, tell your security team right away.\nOpen: {{url}}',
  },
};
