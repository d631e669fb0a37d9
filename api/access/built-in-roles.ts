import type { Name } from '../naming.ts';

export const builtInRoles = {
  all: {
    name: { zh: '超级管理员', en: 'Full access' },
    description: { zh: '可使用所有页面与功能', en: 'Can use every screen and function' },
  },
  editor: {
    name: { zh: '内容编辑', en: 'Content editor' },
    description: { zh: '管理新闻、反馈与公告', en: 'Manages news, feedback and notices' },
  },
  operator: {
    name: { zh: '托管操作员', en: 'Custody operator' },
    description: {
      zh: '登记存款、跟进提现、操作 CRSM 仓位',
      en: 'Records deposits, follows withdrawals and manages CRSM positions',
    },
  },
  approver: {
    name: { zh: '托管签署人', en: 'Custody approver' },
    description: {
      zh: '签署操作员登记的存款、退款和签署规则',
      en: 'Signs deposits that operators recorded and changes to the signing rules',
    },
  },
  access: {
    name: { zh: '权限管理员', en: 'Access administrator' },
    description: {
      zh: '管理账户、角色与权限，查看操作日志',
      en: 'Manages accounts, roles and permissions, and views the audit log',
    },
  },
  analyst: {
    name: { zh: '只读分析员', en: 'Read-only analyst' },
    description: { zh: '可查看所有页面，无修改权限', en: 'Can view every screen but change nothing' },
  },
} as const satisfies Record<string, { name: Name; description: Name }>;

/** The stored name until someone edits it, because signed rules name roles by it. */
export const toStoredRole = ({ name, description }: (typeof builtInRoles)[keyof typeof builtInRoles]) => ({
  name: `${name.zh} ${name.en}`,
  description: description.en,
});
