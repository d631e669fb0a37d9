import type { Functions, Name } from '../naming.ts';

export const depositNames = {
  'deposits.add': { zh: '新增存款', en: 'Add deposit' },
  'deposits.edit': { zh: '修改存款', en: 'Modify deposit' },
  'deposits.confirm': { zh: '确认存款', en: 'Confirm deposit' },
  'deposits.revokeSignature': { zh: '撤回存款签署', en: 'Revoke deposit signature' },
  'deposits.retryMint': { zh: '重试铸造', en: 'Retry mint' },
  'deposits.cancelMint': { zh: '作废铸造', en: 'Void mint' },
  'deposits.closeFailed': { zh: '关闭未铸造的存款', en: 'Close unminted deposit' },
  'deposits.unblock': { zh: '解除存款拦截', en: 'Unblock deposit' },
  'deposits.delete': { zh: '删除存款', en: 'Delete deposit' },
  'deposits.open': { zh: '查看存款', en: 'Open deposit' },
  'deposits.copyHash': { zh: '复制存款哈希', en: 'Copy deposit hash' },
  'deposits.explore': { zh: '在区块浏览器中查看存款', en: 'View deposit in a block explorer' },
  'deposits.toConfirm': { zh: '查看待确认的存款', en: 'Show deposits to confirm' },
} as const satisfies Record<string, Name>;

export const depositFunctions = {
  '/selfCustody/deposit': [
    'deposits.add',
    'deposits.edit',
    'deposits.confirm',
    'deposits.retryMint',
    'deposits.cancelMint',
    'deposits.closeFailed',
    'deposits.unblock',
    'deposits.delete',
  ],
} as const satisfies Functions<typeof depositNames>;
