import type { ReserveProblem } from '../../api/custody/reserve.ts';
import type { BilingualText } from '../platform/core/wording.ts';

// `{{name}}` is replaced by a value (wording.ts).

/** What happened and what to do next, by kind. */
export const alarmKinds = {
  freezeOpened: {
    title: { zh: '资金操作已暂停', en: 'Money is frozen' },
    next: {
      zh: '请在“{{screen}}”查明原因，确认无误后由其他管理员恢复资金操作。',
      en: 'Find the cause on {{screen}}. Then ask another administrator to lift the freeze.',
    },
  },
  freezeLifted: {
    title: { zh: '资金操作已恢复', en: 'Money freeze lifted' },
    next: {
      zh: '如非您知情的操作，请在“{{screen}}”核对，必要时再次暂停资金操作。',
      en: 'If you didn’t expect this, check {{screen}} and freeze money again if you need to.',
    },
  },
  reserveShort: {
    title: { zh: '储备不足', en: 'Reserve shortfall' },
    next: {
      zh: '请立即查明原因。铸造不会自动停止，必要时在“{{screen}}”暂停资金操作。',
      en: 'Find the cause now. Minting doesn’t stop automatically. Freeze money on {{screen}} if you need to.',
    },
  },
  reserveUnproven: {
    title: { zh: '没有有效的储备金证明', en: 'No current proof of reserve' },
    next: {
      zh: '请检查签名服务、区块链节点和比特币数据源。如证明无效，请立即联系安全负责人。',
      en: 'Check the signer, the chain node and the Bitcoin sources. If the proof is invalid, tell your security team now.',
    },
  },
  watchSilent: {
    title: { zh: '链上监控中断', en: 'A chain monitor stopped reporting' },
    next: {
      zh: '请检查区块链节点和服务器日志。监控恢复前，无法发现链上异常。',
      en: 'Check the chain node and the server log. Until the monitor is back, problems on chain go unnoticed.',
    },
  },
  refundUnmatched: {
    title: { zh: '链上出现未登记的退款', en: 'Unexpected refund on chain' },
    next: {
      zh: '请立即在“{{screen}}”核查退款来源，查明前不要恢复资金操作。',
      en: 'Check where the refund came from on {{screen}} now. Don’t lift the freeze before you know.',
    },
  },
  mintFailed: {
    title: { zh: '铸造失败', en: 'Mint failed' },
    next: {
      zh: '请打开存款查看原因，然后重试铸造或关闭存款。',
      en: 'Open the deposit to see the cause. Then retry the mint or close the deposit.',
    },
  },
  mintStuck: {
    title: { zh: '铸造长时间未完成', en: 'A mint is stuck' },
    next: {
      zh: '请打开存款查看等待的原因，并检查签名服务和区块链节点。',
      en: 'Open the deposit to see the reason. Check the signer and the chain node.',
    },
  },
  depositWaits: {
    title: { zh: '存款待确认', en: 'Deposit awaiting confirmation' },
    next: {
      zh: '请未登记或修改过该存款的签署人打开存款，核对链上核验结果后确认。',
      en: 'An approver who didn’t record or edit the deposit must check the evidence and confirm the deposit.',
    },
  },
  depositBlocked: {
    title: { zh: '托管方拒绝存款', en: 'Custodian rejected a deposit' },
    next: {
      zh: '请联系托管方核实。核实无误后，由两位未登记或修改过该存款的签署人解除拦截。',
      en: 'Ask the custodian about the deposit. Two approvers who didn’t record or edit the deposit can unblock it.',
    },
  },
  rulesChanged: {
    title: { zh: '规则或权限已变更', en: 'Rules or permissions changed' },
    next: {
      zh: '如非您知情的变更，请打开记录核对，并立即联系安全负责人。',
      en: 'If you didn’t expect this change, open the record and tell your security team now.',
    },
  },
  crsmTrigger: {
    title: { zh: 'CRSM 达到触发抵押率', en: 'A CRSM is at its trigger' },
    next: {
      zh: '请打开 CRSM，决定是否偿还债务。',
      en: 'Open the CRSM and decide whether to repay its debt.',
    },
  },
  crsmStale: {
    title: { zh: 'CRSM 数据未刷新', en: 'CRSM figures are out of date' },
    next: {
      zh: '请检查区块链节点和价格预言机，并在链上核实该仓位。',
      en: 'Check the chain node and the price feed. Check the position on chain.',
    },
  },
  tokenLeaked: {
    title: { zh: '令牌已泄露', en: 'A token was leaked' },
    next: {
      zh: '令牌已吊销。请检查操作日志中该令牌的操作，并为脚本新增令牌。',
      en: 'The token is revoked. Check what the token did in the audit log, and add a new token for the script.',
    },
  },
  tokenUsedLate: {
    title: { zh: '已轮换的令牌仍在使用', en: 'A rotated token is still in use' },
    next: {
      zh: '请更新使用旧令牌的脚本。如无脚本使用该令牌，令牌可能已泄露。',
      en: 'Update the script that uses the old token. If none of your scripts uses the old token, the token may have been stolen.',
    },
  },
  networksIgnored: {
    title: { zh: '角色的网段未生效', en: 'Networks of roles are ignored' },
    next: {
      zh: '请在“{{screen}}”更正角色的网段，然后移除 ROLE_NETWORKS=off 并重启服务器。',
      en: 'Correct the networks of roles on {{screen}}. Then remove ROLE_NETWORKS=off and restart the server.',
    },
  },
  providerDisabledMany: {
    title: { zh: '身份提供商停用了大量账户', en: 'The identity provider disabled many accounts' },
    next: {
      zh: '如非您知情的操作，请立即吊销同步令牌，并联系身份提供商的管理员。',
      en: 'If you didn’t expect this, revoke the provisioning tokens and call the administrator of the identity provider.',
    },
  },
  provisioningEnds: {
    title: { zh: '同步令牌即将到期或已失效', en: 'The provisioning token is about to expire or has expired' },
    next: {
      zh: '请新增同步令牌并填入身份提供商的设置，否则离职人员的账户不会自动停用。',
      en: 'Add a provisioning token and enter it at the identity provider. Without one, accounts of people who leave aren’t disabled.',
    },
  },
  guardedMapping: {
    title: { zh: '组映射的角色含受保护的权限', en: 'A mapped role has guarded permissions' },
    next: {
      zh: '该角色未授予用户组成员。请删除该组映射，或从角色中移除受保护的权限。',
      en: 'Members of the group don’t get the role. Delete the mapping, or take the guarded permissions out of the role.',
    },
  },
  test: {
    title: { zh: '测试告警', en: 'Test alarm' },
    next: { zh: '无需处理。', en: 'Nothing to do.' },
  },
} as const satisfies Record<string, { title: BilingualText; next: BilingualText }>;
export type AlarmKind = keyof typeof alarmKinds;

/** For a kind from a newer release. */
export const unknownKindText = {
  title: { zh: '未知类型', en: 'Unknown kind' },
  next: {
    zh: '请打开管理后台查看，并更新服务器。',
    en: 'Open the panel to see the alarm, and update the server.',
  },
} as const satisfies { title: BilingualText; next: BilingualText };

/** One line per subject. */
export const alarmLines = {
  differenceFreeze: {
    zh: '{{time}}对账发现差异：{{difference}}。存款确认、铸造和退款已停止。',
    en: 'Reconciliation found a difference on {{time}}: {{difference}}. Deposits, mints and refunds are paused.',
  },
  refundFreeze: {
    zh: '{{time}}链上出现未登记的退款。存款确认、铸造和退款已停止。',
    en: 'An unexpected refund appeared on chain on {{time}}. Deposits, mints and refunds are paused.',
  },
  manualFreeze: {
    zh: '{{who}}暂停了资金操作（{{time}}），原因：{{reason}}',
    en: '{{who}} froze money on {{time}}. Reason: {{reason}}',
  },
  freezeLifted: {
    zh: '{{who}}恢复了资金操作（{{time}}），原因：{{reason}}',
    en: '{{who}} lifted the freeze on {{time}}. Reason: {{reason}}',
  },
  reserveShort: {
    zh: '托管比特币 {{reserve}} BTC（比特币区块高度 {{height}}），YBTC 供应量 {{supply}} YBTC（区块高度 {{block}}），缺口 {{shortfall}} BTC。',
    en: 'Custody holds {{reserve}} BTC (Bitcoin block {{height}}) for {{supply}} YBTC (block {{block}}). The shortfall is {{shortfall}} BTC.',
  },
  reserveOld: {
    zh: '最近一次储备金证明：{{time}}。{{problem}}',
    en: 'The latest proof of reserve is from {{time}}. {{problem}}',
  },
  reserveNone: { zh: '尚无储备金证明。{{problem}}', en: 'No proof of reserve yet. {{problem}}' },
  reserveInvalid: {
    zh: '数据库中的储备金证明没有授权日志指定的铸造账户的签名。',
    en: 'The stored proof of reserve isn’t signed by the minter in the authority log.',
  },
  watchSilent: {
    zh: '{{watch}}：{{time}}起没有结果，{{state}}。',
    en: '{{watch}}: no result since {{time}}. {{state}}.',
  },
  refundUnmatched: {
    zh: '链 {{chain}} 上的退款 nonce {{nonce}}：{{who}}的{{amount}} YBTC，收款比特币地址 {{receiver}}，存款哈希 {{deposit}}',
    en: 'Refund nonce {{nonce}} on chain {{chain}}: {{amount}} YBTC from {{who}} to Bitcoin address {{receiver}}, deposit hash {{deposit}}',
  },
  refundNowhere: {
    zh: '链 {{chain}} 上的退款 nonce {{nonce}}：{{who}}的{{amount}} YBTC，收款方不是比特币地址（{{length}}个字符），存款哈希 {{deposit}}',
    en: 'Refund nonce {{nonce}} on chain {{chain}}: {{amount}} YBTC from {{who}}. The receiver isn’t a Bitcoin address (length {{length}}). Deposit hash {{deposit}}',
  },
  mintFailed: {
    zh: '{{who}}的{{amount}} YBTC 铸造失败：{{problem}}。',
    en: 'Minting {{amount}} YBTC for {{who}} failed: {{problem}}.',
  },
  mintStuck: {
    zh: '{{who}}的{{amount}} YBTC 未完成铸造（{{time}}起），当前状态：{{state}}。',
    en: 'The mint of {{amount}} YBTC for {{who}} has been waiting since {{time}}. State: {{state}}.',
  },
  mintStuckBecause: {
    zh: '{{who}}的{{amount}} YBTC 未完成铸造（{{time}}起），当前状态：{{state}}，{{problem}}。',
    en: 'The mint of {{amount}} YBTC for {{who}} has been waiting since {{time}}. State: {{state}}, {{problem}}.',
  },
  depositWaits: {
    zh: '{{who}}的存款 {{amount}} BTC（由{{by}}登记）待确认，已等待{{waited}}（{{time}}起）。',
    en: 'Deposit of {{amount}} BTC for {{who}}, recorded by {{by}}, has been waiting for {{waited}} (since {{time}}).',
  },
  depositBlocked: {
    zh: '{{who}}的存款 {{amount}} BTC（{{output}}）已拦截（{{time}}），托管方给出的原因：{{reason}}。{{stage}}',
    en: 'Deposit of {{amount}} BTC for {{who}} ({{output}}) was blocked on {{time}}. Reason from the custodian: {{reason}}. {{stage}}',
  },
  changed: { zh: '{{who}}执行了“{{command}}”（{{time}}）', en: '{{who}} ran “{{command}}” on {{time}}' },
  changedRecord: {
    zh: '{{who}}执行了“{{command}}”：{{what}}（{{time}}）',
    en: '{{who}} ran “{{command}}” on {{time}}: {{what}}',
  },
  crsmTrigger: {
    zh: '{{who}}的 CRSM {{crsm}}：抵押率 {{icr}}，触发抵押率 {{trigger}}。',
    en: 'CRSM {{crsm}} of {{who}}: ICR {{icr}}, trigger ratio {{trigger}}.',
  },
  crsmTriggerStale: {
    zh: '{{who}}的 CRSM {{crsm}}：抵押率 {{icr}}，触发抵押率 {{trigger}}。数据来自区块高度 {{block}}，此后未能刷新。',
    en: 'CRSM {{crsm}} of {{who}}: ICR {{icr}}, trigger ratio {{trigger}}. The figures are from block {{block}} and haven’t been refreshed since.',
  },
  crsmStale: {
    zh: '{{who}}的 CRSM {{crsm}}：数据来自区块高度 {{block}}，{{time}}起未能刷新。',
    en: 'CRSM {{crsm}} of {{who}}: the figures are from block {{block}} and haven’t been refreshed since {{time}}.',
  },
  tokenLeaked: {
    zh: '服务账号 {{account}} 的令牌 {{token}} 已报告泄露并吊销（{{time}}）。',
    en: 'Token {{token}} of service account {{account}} was reported as leaked and revoked on {{time}}.',
  },
  provisioningTokenLeaked: {
    zh: '账号同步的令牌 {{token}} 已报告泄露并吊销（{{time}}）。',
    en: 'Provisioning token {{token}} was reported as leaked and revoked on {{time}}.',
  },
  tokenUsedLate: {
    zh: '服务账号 {{account}} 的令牌 {{token}} 轮换失效后，仍有请求使用该令牌（{{time}}），请求已拒绝。',
    en: 'A request on {{time}} used the rotated token {{token}} of service account {{account}} after it expired. The request was refused.',
  },
  networksIgnored: {
    zh: '服务器以 ROLE_NETWORKS=off 运行（{{time}}），管理员可从任意网络使用所有角色。',
    en: 'The server runs with ROLE_NETWORKS=off ({{time}}). People can use all their roles from every network.',
  },
  providerDisabledMany: {
    zh: '身份提供商在十分钟内停用了 {{disabled}} 个账户（共管理 {{managed}} 个，最近一次：{{time}}）。',
    en: 'Accounts disabled by the identity provider within ten minutes: {{disabled}} of {{managed}}. Last one: {{time}}.',
  },
  provisioningEnds: {
    zh: '最后一个同步令牌 {{token}} 的失效时间：{{time}}。',
    en: 'The last provisioning token, {{token}}, expires on {{time}}.',
  },
  guardedMapping: {
    zh: '用户组 {{group}} 映射的角色“{{role}}”含受保护的权限，未授予成员。',
    en: 'Group {{group}} is mapped to role “{{role}}”. The role has guarded permissions, so members don’t get it.',
  },
  test: {
    zh: '{{who}}发送了这条测试告警，该渠道可以收到告警。',
    en: '{{who}} sent this test. Alarms reach this channel.',
  },
} as const satisfies Record<string, BilingualText>;

export const differenceTexts = {
  supplyMore: { zh: '链上比账本多 {{amount}} YBTC', en: 'the chain has {{amount}} YBTC more than the ledger' },
  supplyLess: { zh: '链上比账本少 {{amount}} YBTC', en: 'the chain has {{amount}} YBTC less than the ledger' },
  ledgerMore: {
    zh: '账本铸造比存入多 {{amount}} YBTC',
    en: 'the ledger minted {{amount}} YBTC more than was deposited',
  },
  ledgerLess: {
    zh: '账本铸造比存入少 {{amount}} YBTC',
    en: 'the ledger minted {{amount}} YBTC less than was deposited',
  },
} as const satisfies Record<string, BilingualText>;

export const watchNames = {
  reconciliation: { zh: '对账', en: 'Reconciliation' },
  bridge: { zh: '托管桥退款监控', en: 'Bridge refund monitor' },
  crsm: { zh: 'CRSM 监控', en: 'CRSM monitor' },
} as const satisfies Record<string, BilingualText>;

export const watchStateTexts = {
  unreachable: { zh: '区块链节点无响应', en: 'The chain node isn’t responding' },
  unsettled: { zh: '链上或账本数据持续变动，无法比对', en: 'The chain and the ledger keep changing and can’t be compared' },
  failed: { zh: '检查出错，原因见服务器日志', en: 'The check failed, and the server log shows the cause' },
  unfinished: { zh: '检查一直未结束', en: 'The check isn’t finishing' },
} as const satisfies Record<string, BilingualText>;

export const reserveProblemTexts: Readonly<Record<ReserveProblem | 'unknown', BilingualText>> = {
  SOURCE: { zh: '比特币数据源无响应。', en: 'A Bitcoin source isn’t responding.' },
  DISAGREE: { zh: '比特币数据源返回的数据不一致。', en: 'The Bitcoin sources disagree.' },
  CHAIN: { zh: '区块链节点无响应，或最新区块待最终确认。', en: 'The chain isn’t responding, or its newest blocks aren’t final.' },
  NODES: {
    zh: '区块链节点返回的数据不一致，或有节点无响应。',
    en: 'The chain nodes disagree, or one isn’t responding.',
  },
  ONE_NODE: { zh: '签名服务只配置了一个区块链节点。', en: 'The signer has only one chain node.' },
  CLOCK: { zh: '签名服务的时钟不准确。', en: 'The signer’s clock is wrong.' },
  LOG: {
    zh: '签名服务不认可授权日志，或签名密钥不是铸造账户的密钥。',
    en: 'The signer rejects the authority log, or its key isn’t the minter’s.',
  },
  NO_CUSTODY: { zh: '授权日志中没有托管地址。', en: 'The authority log has no custody address.' },
  unknown: { zh: '签名服务没有报告原因。', en: 'The signer reported no reason.' },
};

export const mintStateTexts = {
  queued: { zh: '排队等待签名', en: 'queued for signing' },
  signed: { zh: '已签名，等待发送', en: 'signed, not sent yet' },
  sent: { zh: '已发送，等待上链', en: 'sent, not mined yet' },
  mined: { zh: '已上链，待最终确认', en: 'mined, not final yet' },
} as const satisfies Record<string, BilingualText>;

/** Problems of mints (server/mints/mints.ts). */
export const mintProblemTexts = {
  RPC: { zh: '区块链节点无响应或拒绝了交易', en: 'the chain didn’t respond or rejected the transaction' },
  NODES: { zh: '区块链节点返回的数据不一致，或有节点无响应', en: 'the chain nodes disagree, or one isn’t responding' },
  EVIDENCE: { zh: '比特币链上核验未通过', en: 'the Bitcoin evidence isn’t valid' },
  FROZEN: { zh: '资金操作已暂停', en: 'money is frozen' },
  BLOCKED: { zh: '托管方已拒绝该存款', en: 'the custodian rejected the deposit' },
  FEES: { zh: '网络手续费超过上限', en: 'network fees are above the limit' },
  AUTHORITY: { zh: '授权日志尚不允许签名', en: 'the authority log doesn’t allow it yet' },
  REVERTED: { zh: '交易在链上执行失败', en: 'the transaction failed on chain' },
  ALREADY_MINTED: { zh: '链上合约显示该存款已铸造', en: 'the contract shows that this deposit was already minted' },
  NONCE_TAKEN: { zh: '另一笔交易占用了 nonce', en: 'another transaction used its nonce' },
  other: { zh: '原因见该存款', en: 'the deposit shows the cause' },
} as const satisfies Record<string, BilingualText>;

export const alarmPhrases = {
  subject: { zh: '【告警】{{title}}', en: 'Alarm: {{title}}' },
  at: { zh: '时间：{{time}}', en: 'Time: {{time}}' },
  unreadable: { zh: '详情请在管理后台查看。', en: 'See the panel for the details.' },
  open: { zh: '打开：{{url}}', en: 'Open: {{url}}' },
  next: { zh: '下一步：{{next}}', en: 'Next step: {{next}}' },
  more: { zh: '另有 {{count}} 项，请在管理后台查看。', en: '{{count}} more. See the panel.' },
  theServer: { zh: '服务器', en: 'The server' },
  unknownAccount: { zh: '已删除的账户', en: 'A deleted account' },
  noReason: { zh: '未填写', en: 'none given' },
  statement: { zh: '授权单 #{{number}}', en: 'statement #{{number}}' },
  named: { zh: '{{name}}（{{address}}）', en: '{{name}} ({{address}})' },
  and: { zh: '，', en: ' and ' },
} as const satisfies Record<string, BilingualText>;
