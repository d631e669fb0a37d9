import type { Name } from '../naming.ts';

/** What the roles that a new installation starts with are called, in both languages. */
export const builtInRoles = {
  all: {
    name: { zh: '超级管理员', en: 'All rights' },
    description: { zh: '所有页面与功能', en: 'Every screen and every function' },
  },
  editor: {
    name: { zh: '内容编辑', en: 'Content editor' },
    description: { zh: '新闻、反馈与公告', en: 'News, feedback and notices' },
  },
  operator: {
    name: { zh: '托管操作员', en: 'Custody operator' },
    description: {
      zh: '登记存款、跟进提现、操作 CRSM 仓位',
      en: 'Records deposits, follows withdrawals, works CRSM positions',
    },
  },
  approver: {
    name: { zh: '托管审批员', en: 'Custody approver' },
    description: {
      zh: '审批操作员登记的存款，签署铸造规则',
      en: 'Signs for what the operators recorded, and for the rules of it',
    },
  },
  access: {
    name: { zh: '权限管理员', en: 'Access administrator' },
    description: { zh: '管理员、角色、权限与操作日志', en: 'Administrators, roles, permissions and the audit log' },
  },
  analyst: {
    name: { zh: '只读分析员', en: 'Read-only analyst' },
    description: { zh: '可查看所有页面，无修改权限', en: 'Sees every screen, changes nothing' },
  },
} as const satisfies Record<string, { name: Name; description: Name }>;

/** As the database has it, until people call the role otherwise: rules that are signed name a role by this. */
export const storedRole = ({ name, description }: (typeof builtInRoles)[keyof typeof builtInRoles]) => ({
  name: `${name.zh} ${name.en}`,
  description: description.en,
});
