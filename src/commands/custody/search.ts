import type { InstitutionRow } from '../../../api/custody/contract.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { institutionTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    institutions: InstitutionRow;
  }
}

export const records = {
  institutions: {
    target: institutionTarget,
    place: '/selfCustody/dataPanel',
    read: ({ dataPanel }, addresses) => dataPanel.many({ addresses }),
    open: 'dataPanel.open',
    by: ['words', 'address'],
    find: async ({ dataPanel }, q) => (await dataPanel.list({ ...newest, filter: { q } })).rows,
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.dataPanel': '机构 institutions custody',
  'dataPanel.open': '详情 details view drill',
  'dataPanel.rename': '改名 名称 rename label',
  'dataPanel.refresh': '重新读取 链上 reload chain',
  'dataPanel.resolve': '解冻 对账 差异 unfreeze reconciliation accept',
  'dataPanel.copyAddress': '拷贝 clipboard',
  'dataPanel.explore': '链上 etherscan mempool scan on chain',
  'evm.connect': '以太坊 metamask rabby ethereum switch wallet account 切换钱包 账户',
  'evm.disconnect': '以太坊 metamask ethereum',
  'evm.switchChain': '以太坊 链 network add chain',
  'evm.stopWaiting': '取消签名 取消请求 通行密钥 卡住 cancel signature request stuck pending passkey',
  'dataPanel.freezeMoney': '暂停 紧急 停止 pause stop emergency brake',
  'alarms.test': '通知 报警 webhook mail notify',
} as const satisfies Aliases;
