import type { BilingualText } from '../core/wording.ts';
import type { MailTexts } from '../content/bilingual-mail.ts';

export const codeMail: MailTexts = {
  subject: { zh: '验证码 {{code}}', en: 'Verification code {{code}}' },
  body: {
    zh: '您的验证码是 {{code}}，用于{{purpose}}，请在 {{minutes}} 分钟内使用（{{until}}前）。\n\n账户：{{account}}\n请求的 IP 地址：{{ip}}\n\n如非本人操作，请忽略此邮件并联系管理员。请勿将验证码告诉任何人。\n打开：{{url}}',
    en: 'Your verification code is {{code}}. Use the code to {{purpose}} within {{minutes}} min (until {{until}}).\n\nAccount: {{account}}\nRequested from IP address: {{ip}}\n\nIf you didn’t request this code, don’t use the code and tell an administrator. Don’t share the code with anyone.\nOpen: {{url}}',
  },
};

export const codePurposes = {
  changePassword: { zh: '修改密码', en: 'change your password' },
  resetPassword: { zh: '重置密码', en: 'reset your password' },
  newBrowser: { zh: '在新浏览器中登录', en: 'sign in from a new browser' },
} as const satisfies Record<string, BilingualText>;

export const ownerMail: MailTexts = {
  subject: { zh: '{{what}}', en: '{{what}}' },
  body: {
    zh: '{{what}}。\n\n账户：{{account}}\n操作人：{{by}}\n时间：{{time}}\nIP 地址：{{ip}}\n\n{{next}}\n打开：{{url}}',
    en: '{{what}}.\n\nAccount: {{account}}\nBy: {{by}}\nTime: {{time}}\nIP address: {{ip}}\n\n{{next}}\nOpen: {{url}}',
  },
};

export const guessMail: MailTexts = {
  subject: ownerMail.subject,
  body: {
    zh: '{{what}}。\n\n账户：{{account}}\n时间：{{time}}\nIP 地址：{{ip}}\n\n{{next}}\n打开：{{url}}',
    en: '{{what}}.\n\nAccount: {{account}}\nTime: {{time}}\nIP address: {{ip}}\n\n{{next}}\nOpen: {{url}}',
  },
};

export const notSignedInText: BilingualText = { zh: '未登录的访问者', en: 'someone who wasn’t signed in' };

const ownerNextStep: BilingualText = {
  zh: '如非本人操作，请立即修改密码并联系管理员。',
  en: 'If you didn’t do this, change your password and tell an administrator right away.',
};
const providerNextStep: BilingualText = {
  zh: '如果您对此不知情，请立即联系管理员。',
  en: 'If you didn’t expect this change, tell an administrator right away.',
};
const colleagueNextStep: BilingualText = {
  zh: '如果您没有要求这项变更，请立即联系其他管理员。',
  en: 'If you didn’t ask for this change, tell another administrator right away.',
};

export const ownerNotices = {
  passwordChanged: {
    what: { zh: '您的密码已修改，其他设备已退出登录', en: 'Your password was changed and your other devices were signed out' },
    next: {
      zh: '如非本人操作，请立即联系管理员。',
      en: 'If you didn’t do this or ask for it, tell an administrator right away.',
    },
  },
  totpAdded: {
    what: { zh: '已设置身份验证器应用', en: 'An authenticator app was set up for your account' },
    next: ownerNextStep,
  },
  totpRemoved: {
    what: { zh: '已移除身份验证器应用', en: 'The authenticator app was removed from your account' },
    next: ownerNextStep,
  },
  recoveryCodesReplaced: {
    what: { zh: '已生成新的恢复码，原恢复码已失效', en: 'New recovery codes were generated and your old ones no longer work' },
    next: ownerNextStep,
  },
  passkeyAdded: { what: { zh: '已添加通行密钥', en: 'A passkey was added to your account' }, next: ownerNextStep },
  passkeyRemoved: { what: { zh: '已移除通行密钥', en: 'A passkey was removed from your account' }, next: ownerNextStep },
  walletLinked: { what: { zh: '已绑定登录钱包', en: 'A wallet was linked to your account' }, next: ownerNextStep },
  walletUnlinked: { what: { zh: '已解绑登录钱包', en: 'The wallet was unlinked from your account' }, next: ownerNextStep },
  ssoLinked: {
    what: { zh: '您的账户已关联单点登录', en: 'Your account was linked to single sign-on' },
    next: ownerNextStep,
  },
  ssoUnlinked: {
    what: { zh: '您的账户已解除单点登录关联', en: 'Your account was unlinked from single sign-on' },
    next: ownerNextStep,
  },
  ssoUnlinkedByColleague: {
    what: {
      zh: '管理员解除了您账户的单点登录关联',
      en: 'An administrator unlinked your account from single sign-on',
    },
    next: colleagueNextStep,
  },
  emailChangedByColleague: {
    what: { zh: '管理员修改了您账户的邮箱', en: 'An administrator changed the email of your account' },
    next: colleagueNextStep,
  },
  factorResetByColleague: {
    what: { zh: '管理员重置了您的双重验证', en: 'An administrator reset your second factor' },
    next: {
      zh: '请重新登录并设置双重验证。如果您没有要求这项变更，请立即联系其他管理员。',
      en: 'Sign in and set up a second factor again. If you didn’t ask for this change, tell another administrator right away.',
    },
  },
  enrollmentCodeGiven: {
    what: {
      zh: '管理员为您的双重验证生成了登记码',
      en: 'An administrator created an enrollment code for your second factor',
    },
    next: {
      zh: '请当面或通过电话索取登记码，有效期一小时。请勿通过邮件或公司聊天软件接收登记码。如果您没有索取登记码，请立即联系其他管理员。',
      en: 'Get the code in person or by phone within an hour, not by email or company chat. If you didn’t ask for a code, tell another administrator right away.',
    },
  },
  factorVouched: {
    what: {
      zh: '管理员已确认您的双重验证',
      en: 'An administrator vouched for your second factor',
    },
    next: colleagueNextStep,
  },
  walletLinkedByColleague: {
    what: { zh: '管理员为您绑定了登录钱包', en: 'An administrator linked a wallet to your account' },
    next: colleagueNextStep,
  },
  walletUnlinkedByColleague: {
    what: { zh: '管理员解绑了您的登录钱包', en: 'An administrator unlinked the wallet from your account' },
    next: colleagueNextStep,
  },
  emailChangedByProvider: {
    what: { zh: '身份提供商修改了您账户的邮箱', en: 'Your identity provider changed the email of your account' },
    next: providerNextStep,
  },
  enabledByProvider: {
    what: { zh: '身份提供商重新启用了您的账户', en: 'Your identity provider enabled your account again' },
    next: providerNextStep,
  },
  factorGuessed: {
    isGuess: true,
    what: {
      zh: '有人用您的密码或钱包登录，但未通过双重验证',
      en: 'Someone signed in as you with your password or wallet but failed the second factor',
    },
    next: {
      zh: '如非本人操作，您的密码或钱包可能已泄露，请立即修改密码并联系管理员。',
      en: 'If this wasn’t you, your password or wallet may be stolen. Change your password and tell an administrator right away.',
    },
  },
  stepGuessed: {
    isGuess: true,
    what: {
      zh: '您已登录的设备上有人输错密码或验证码，或未通过双重验证',
      en: 'Someone entered a wrong password, code or second factor on a device where you’re signed in',
    },
    next: {
      zh: '如非本人操作，请立即在“我的账户”退出其他设备、修改密码并联系管理员。',
      en: 'If this wasn’t you, sign out your other devices under My account, change your password and tell an administrator right away.',
    },
  },
} as const satisfies Record<string, { what: BilingualText; next: BilingualText; isGuess?: true }>;
export type OwnerNotice = keyof typeof ownerNotices;

export const moneyAccountMail: MailTexts = {
  subject: { zh: '资金权限账户变更', en: 'An account with money permissions changed' },
  body: {
    zh: '{{by}}{{what}}：\n{{accounts}}\n\n时间：{{time}}\nIP 地址：{{ip}}\n\n以上账户拥有或曾拥有资金权限，变更后 {{hours}} 小时内不能签署或确认资金操作。此后也始终不能与变更人共同签署。\n如非您知情的操作，请立即联系安全负责人。\n打开：{{url}}',
    en: '{{by}} {{what}}:\n{{accounts}}\n\nTime: {{time}}\nIP address: {{ip}}\n\nThese accounts have or had money permissions. For {{hours}} h, these accounts can’t sign or confirm money operations. After that, these accounts still can’t sign together with the person who made the change.\nIf you didn’t expect this change, tell your security team right away.\nOpen: {{url}}',
  },
};

export const moneyAccountChanges = {
  created: { zh: '新增了账户', en: 'added an account' },
  enabled: { zh: '启用了账户', en: 'enabled an account' },
  email: { zh: '修改了账户的邮箱', en: 'changed the email of an account' },
  roles: { zh: '修改了账户的角色', en: 'changed the roles of an account' },
  rights: {
    zh: '通过角色或权限设置增加了账户的资金权限',
    en: 'gave an account more money permissions through a role or the permission settings',
  },
  password: { zh: '向账户发送了重置密码链接', en: 'sent a password reset link to an account' },
  factor: { zh: '重置了账户的双重验证', en: 'reset the second factor of an account' },
  vouching: { zh: '确认了账户的双重验证', en: 'vouched for the second factor of an account' },
  wallet: { zh: '变更了账户的登录钱包', en: 'changed the wallet of an account' },
  linked: { zh: '变更了账户的单点登录关联', en: 'linked an account to single sign-on or unlinked it' },
} as const satisfies Record<string, BilingualText>;

export const resetMail: MailTexts = {
  subject: { zh: '重置密码', en: 'Reset your password' },
  body: {
    zh: '管理员 {{by}} 请您重置密码。请在{{until}}前打开以下链接设置新密码，链接只能使用一次：\n{{link}}\n\n账户：{{account}}\n\n如您不知情，请勿打开链接，并立即联系其他管理员。',
    en: 'Administrator {{by}} sent you this link to set a new password. Open the link before {{until}}. The link works once:\n{{link}}\n\nAccount: {{account}}\n\nIf you didn’t expect this email, don’t open the link. Tell another administrator right away.',
  },
};

export const inviteMail: MailTexts = {
  subject: { zh: '管理后台账户已开通', en: 'Your Admin Panel account' },
  body: {
    zh: '管理员 {{by}} 为您开通了管理后台账户。请在{{until}}前打开以下链接设置密码，链接只能使用一次：\n{{link}}\n\n账户：{{account}}\n\n如您不知情，请勿打开链接，并立即联系管理员。',
    en: 'Administrator {{by}} created an Admin Panel account for you. Open this link before {{until}} to set your password. The link works once:\n{{link}}\n\nAccount: {{account}}\n\nIf you didn’t expect this email, don’t open the link. Tell an administrator right away.',
  },
};

export const ssoInviteMail: MailTexts = {
  subject: inviteMail.subject,
  body: {
    zh: '管理员 {{by}} 为您开通了管理后台账户。请在{{until}}前打开以下链接，用企业账号登录，链接只能使用一次：\n{{link}}\n\n账户：{{account}}\n\n如您不知情，请勿打开链接，并立即联系管理员。',
    en: 'Administrator {{by}} created an Admin Panel account for you. Open this link before {{until}} and sign in with your company account. The link works once:\n{{link}}\n\nAccount: {{account}}\n\nIf you didn’t expect this email, don’t open the link. Tell an administrator right away.',
  },
};

export const ssoLinkMail: MailTexts = {
  subject: { zh: '关联单点登录', en: 'Link single sign-on' },
  body: {
    zh: '管理员 {{by}} 请您将管理后台账户关联到企业账号。请在{{until}}前打开以下链接，用企业账号登录，链接只能使用一次：\n{{link}}\n\n账户：{{account}}\n\n如您不知情，请勿打开链接，并立即联系其他管理员。',
    en: 'Administrator {{by}} asks you to link your Admin Panel account to your company account. Open this link before {{until}} and sign in with your company account. The link works once:\n{{link}}\n\nAccount: {{account}}\n\nIf you didn’t expect this email, don’t open the link. Tell another administrator right away.',
  },
};
