import type { MintProgress } from '../../../api/deposits/contract.ts';
import type { MailTexts } from '../../platform/content/bilingual-mail.ts';
import type { BilingualText } from '../../platform/core/wording.ts';

export const blockedMail: MailTexts = {
  subject: { zh: '托管方拒绝了一笔存款', en: 'The custodian rejected a deposit' },
  body: {
    zh: '托管方拒绝了您登记、修改、签署或确认过的存款，该存款已拦截。\n\n金额：{{amount}} BTC\n用户地址：{{receiver}}\n存款哈希：{{output}}\n托管方给出的原因：{{reason}}\n时间：{{time}}\n\n{{stage}}\n请联系托管方核实。解除拦截需要两人签署，登记或修改过该存款的人不能签署。\n打开：{{url}}',
    en: 'The custodian rejected a deposit that you recorded, edited, signed or confirmed. The deposit is blocked.\n\nAmount: {{amount}} BTC\nUser address: {{receiver}}\nDeposit hash: {{output}}\nReason from the custodian: {{reason}}\nTime: {{time}}\n\n{{stage}}\nAsk the custodian about the deposit. To unblock the deposit, two people must sign. People who recorded or edited the deposit can’t sign.\nOpen: {{url}}',
  },
};

export const mintStages = {
  unsigned: {
    zh: '尚未铸造，解除拦截前不会签名。',
    en: 'Nothing is minted, and nothing is signed while the deposit is blocked.',
  },
  held: {
    zh: '铸造交易已签名但未发送，解除拦截前不会发送。',
    en: 'The mint is signed but not sent, and isn’t sent while the deposit is blocked.',
  },
  sent: {
    zh: '铸造交易已发送，无法撤回，可能仍会上链。请考虑暂停资金操作。',
    en: 'The mint was already sent, can’t be recalled and may still be mined. Consider freezing money.',
  },
  minted: {
    zh: 'YBTC 已铸造。请考虑暂停资金操作。',
    en: 'The YBTC is already minted. Consider freezing money.',
  },
} as const satisfies Record<string, BilingualText>;
export type MintStage = keyof typeof mintStages;

export function mintStageOf(state: MintProgress['state'] | null): MintStage {
  switch (state) {
    case 'signed':
      return 'held';
    case 'sent':
      return 'sent';
    case 'mined':
    case 'final':
      return 'minted';
    case null:
    case 'queued':
    case 'failed':
    case 'canceled':
    case 'closed':
      return 'unsigned';
  }
}
