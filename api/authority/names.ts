import type { Functions, Name } from '../naming.ts';

export const authorityNames = {
  'authority.enrol': { zh: '注册签署密钥', en: 'Enroll a signing key' },
  'authority.sign': { zh: '签署授权单', en: 'Sign statement' },
  'authority.removeApprover': { zh: '提议移除签署人', en: 'Propose removing an approver' },
  'authority.setRules': { zh: '提议变更签署规则', en: 'Propose signing rules' },
  'authority.setMinter': { zh: '提议变更铸造账户', en: 'Propose a minter' },
  'authority.addCustody': { zh: '提议新增托管地址', en: 'Propose a custody address' },
  'authority.removeCustody': { zh: '提议移除托管地址', en: 'Propose removing a custody address' },
  'authority.addReceiver': { zh: '提议新增收款机构', en: 'Propose a receiver' },
  'authority.removeReceiver': { zh: '提议移除收款机构', en: 'Propose removing a receiver' },
  'authority.freeze': { zh: '暂停铸造', en: 'Freeze minting' },
  'authority.unfreeze': { zh: '提议恢复铸造', en: 'Propose lifting a minting freeze' },
  'authority.open': { zh: '查看授权单', en: 'Open statement' },
  'authority.copyHash': { zh: '复制授权单哈希', en: 'Copy statement hash' },
  'authority.export': { zh: '导出授权日志', en: 'Export authority log' },
} as const satisfies Record<string, Name>;

export const authorityFunctions = {
  '/selfCustody/authority': [
    'authority.enrol',
    'authority.sign',
    'authority.removeApprover',
    'authority.setRules',
    'authority.setMinter',
    'authority.addCustody',
    'authority.removeCustody',
    'authority.addReceiver',
    'authority.removeReceiver',
    'authority.freeze',
    'authority.unfreeze',
  ],
} as const satisfies Functions<typeof authorityNames>;
