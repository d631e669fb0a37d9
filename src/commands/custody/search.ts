import type { InstitutionRow } from '../../../api/custody/contract.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
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
    find: async ({ dataPanel }, q) => (await dataPanel.list({ ...newestFirst, filter: { q } })).rows,
  },
} as const satisfies RecordKinds;

const resourceAliases = '客户 用户 托管 client customer';

export const aliases = {
  'go.dataPanel':
    '机构 客户 用户 对账 储备证明 储备金 储备 托管 institution client customer custody reserve proof-of-reserves reconciliation',
  'dataPanel.open': `${resourceAliases} ${commonAliases.open} 资产 drill`,
  'dataPanel.rename': `${resourceAliases} 改名 名称 重命名 备注 rename label alias`,
  'dataPanel.refresh': '重新读取 链上 更新 对账 reload chain update',
  'dataPanel.resolve': '解冻 解除冻结 解除 解除暂停 对账 差异 重启 unfreeze resume unpause reconciliation accept',
  'dataPanel.copyAddress': `${resourceAliases} ${commonAliases.copyAddress}`,
  'dataPanel.explore': `${resourceAliases} ${commonAliases.explore}`,
  'evm.connect': '以太坊 小狐狸 切换钱包 登录钱包 链接钱包 账户 metamask rabby ethereum switch switch-wallet account link',
  'evm.disconnect': '以太坊 小狐狸 退出钱包 取消连接 metamask ethereum unlink remove',
  'evm.switchChain': '以太坊 钱包网络 链 换链 切链 主网 network ethereum mainnet',
  'evm.stopWaiting': '取消签名 取消请求 通行密钥 卡住 cancel signature request stuck pending passkey',
  'dataPanel.freezeMoney': '冻结 紧急 停止 紧急停止 熔断 停机 暂停铸造 pause stop emergency brake circuit-breaker halt minting',
  'alarms.test': '通知 报警 预警 飞书 钉钉 企业微信 机器人 webhook mail notify alert bot slack',
} as const satisfies Aliases;
