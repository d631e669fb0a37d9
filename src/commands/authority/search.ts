import type { StatementRow } from '../../../api/authority/contract.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { numberText, describeStatement } from '../../lib/authority/words.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, targetOf, type Aliases, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    statements: StatementRow;
  }
}

export const statementTarget = targetOf('statements', (row) => `${numberText(row)} ${describeStatement(row.statement)}`);

export const records = {
  statements: {
    target: statementTarget,
    place: '/selfCustody/authority',
    read: ({ authority }, ids) => authority.many({ ids }),
    open: 'authority.open',
    by: ['words', 'address', 'hash', 'bitcoin', 'id'],
    find: async ({ authority }, q) => (await authority.list({ ...newestFirst, sort: 'number', filter: { q } })).rows,
    note: ({ state }) => t(`authority.state.${state}`),
  },
} as const satisfies RecordKinds;

const resourceAliases = '授权单 声明 多签 statement';

export const aliases = {
  'go.authority':
    '授权单 多签 签名 签字 待签署 审批 签署人 地址簿 规则 statement signature approver multisig rule address-book sign-off',
  'authority.enrol': '登记 密钥 通行密钥 硬件钱包 添加签署人 passkey hardware wallet register add-approver',
  'authority.sign': '签名 签字 同意 批准 审批 待签署 多签 approve sign-off yes passkey multisig',
  'authority.removeApprover': '撤销 删除 审批人 密钥 离职 revoke delete key signer',
  'authority.setRules': '限额 金额 额度 审批规则 多签 人数 band policy limit threshold quorum',
  'authority.setMinter': '密钥 轮换 铸造人 换密钥 signer key rotate rotation account',
  'authority.addCustody': '添加 新增 比特币 收币地址 bitcoin new btc',
  'authority.removeCustody': '删除 比特币 停用 收币地址 bitcoin delete retire btc',
  'authority.addReceiver': '地址簿 白名单 加白名单 添加收款地址 添加 收款方 address-book institution whitelist allowlist payee',
  'authority.removeReceiver': '地址簿 白名单 删除 移出白名单 收款方 address-book institution whitelist allowlist delete payee',
  'authority.freeze': '冻结 紧急 停止 紧急停止 熔断 停铸 pause stop emergency minting circuit-breaker halt',
  'authority.unfreeze': '解冻 解除冻结 解除 取消暂停 恢复 resume unpause unfreeze minting',
  'authority.open': `${resourceAliases} ${commonAliases.open}`,
  'authority.copyHash': `${resourceAliases} 拷贝 指纹 摘要 clipboard digest checksum`,
  'authority.export': `${resourceAliases} ${commonAliases.export} 验证 多签 verify jsonl`,
} as const satisfies Aliases;
