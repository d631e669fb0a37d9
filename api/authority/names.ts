import type { Functions, Name } from '../naming.ts';

/** The commands of the authority log. */
export const authorityNames = {
  'authority.enrol': { zh: '注册签署密钥', en: 'Enrol a signing key' },
  'authority.sign': { zh: '签署授权单', en: 'Sign statement' },
  'authority.removeApprover': { zh: '移除签署人', en: 'Remove approver' },
  'authority.setRules': { zh: '提议铸造签署规则', en: 'Propose signing rules' },
  'authority.setMinter': { zh: '提议铸造账户', en: 'Propose minter' },
  'authority.addCustody': { zh: '提议托管地址', en: 'Propose custody address' },
  'authority.removeCustody': { zh: '移除托管地址', en: 'Remove custody address' },
  'authority.addReceiver': { zh: '提议收款机构', en: 'Propose receiver' },
  'authority.removeReceiver': { zh: '移除收款机构', en: 'Remove receiver' },
  'authority.freeze': { zh: '暂停铸造（签署）', en: 'Sign a freeze' },
  'authority.unfreeze': { zh: '提议恢复铸造', en: 'Propose to lift a signed freeze' },
  'authority.open': { zh: '查看声明', en: 'Open statement' },
  'authority.copyHash': { zh: '复制声明哈希', en: 'Copy hash of statement' },
  'authority.export': { zh: '导出授权日志', en: 'Export the authority log' },
} as const satisfies Record<string, Name>;

/** Those that need a right of their own. */
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
