import type { StatementRow } from '../../../api/authority/contract.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { numberText, sentenceOf } from '../../lib/authority/words.ts';
import { newest, targetOf, type Aliases, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    statements: StatementRow;
  }
}

/** A statement is called by its number and by what it says. */
export const statementTarget = targetOf('statements', (row) => `${numberText(row)} ${sentenceOf(row.statement)}`);

export const records = {
  statements: {
    target: statementTarget,
    place: '/selfCustody/authority',
    read: ({ authority }, ids) => authority.many({ ids }),
    open: 'authority.open',
    by: ['words', 'address', 'hash', 'bitcoin', 'id'],
    find: async ({ authority }, q) => (await authority.list({ ...newest, sort: 'number', filter: { q } })).rows,
    note: ({ state }) => t(`authority.state.${state}`),
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.authority': '签名 声明 规则 日志 statements signatures approvers rules address book',
  'authority.enrol': '注册 密钥 通行密钥 硬件钱包 passkey hardware wallet register',
  'authority.sign': '签名 同意 批准 approve yes passkey',
  'authority.removeApprover': '撤销 移除 密钥 revoke key signer',
  'authority.setRules': '规则 限额 金额 bands policy limits delay',
  'authority.setMinter': '密钥 轮换 账户 signer key rotate rotation',
  'authority.addCustody': '比特币 bitcoin address new',
  'authority.removeCustody': '比特币 bitcoin address retire',
  'authority.addReceiver': '地址簿 机构 address book institution whitelist',
  'authority.removeReceiver': '地址簿 机构 address book institution',
  'authority.freeze': '暂停 紧急 停止 pause stop emergency',
  'authority.unfreeze': '恢复 解冻 resume lift',
  'authority.open': '详情 details view',
  'authority.copyHash': '拷贝 clipboard',
  'authority.export': '下载 验证 download verify jsonl',
} as const satisfies Aliases;
