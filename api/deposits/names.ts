import type { Functions, Name } from '../names.ts';

/** The commands of self-custody deposits. */
export const depositNames = {
  'deposits.add': { zh: '新增存款', en: 'Add deposit' },
  'deposits.edit': { zh: '修改存款', en: 'Modify deposit' },
  'deposits.approve': { zh: '审批存款', en: 'Approve deposit' },
  'deposits.confirm': { zh: '确认存款', en: 'Confirm deposit' },
  'deposits.retryMint': { zh: '重试铸造', en: 'Retry mint' },
  'deposits.cancelMint': { zh: '取消铸造', en: 'Cancel mint' },
  'deposits.closeFailed': { zh: '关闭未铸造的存款', en: 'Close unminted deposit' },
  'deposits.delete': { zh: '删除存款', en: 'Delete deposit' },
  'deposits.open': { zh: '查看存款', en: 'Open deposit' },
  'deposits.copyHash': { zh: '复制存款哈希', en: 'Copy deposit hash' },
  'deposits.toApprove': { zh: '查看待审批的存款', en: 'Show deposits to approve' },
  'deposits.addRule': { zh: '新增铸造规则', en: 'Add mint rule' },
  'deposits.editRule': { zh: '修改铸造规则', en: 'Modify mint rule' },
  'deposits.deleteRule': { zh: '删除铸造规则', en: 'Delete mint rule' },
  'deposits.policies': { zh: '查看铸造规则', en: 'Show the mint rules' },
} as const satisfies Record<string, Name>;

/** Those that need a right of their own, by the screen they stand under. */
export const depositFunctions = {
  '/selfCustody/deposit': [
    'deposits.add',
    'deposits.edit',
    'deposits.approve',
    'deposits.confirm',
    'deposits.retryMint',
    'deposits.cancelMint',
    'deposits.closeFailed',
    'deposits.delete',
    'deposits.addRule',
    'deposits.editRule',
    'deposits.deleteRule',
  ],
} as const satisfies Functions<typeof depositNames>;
