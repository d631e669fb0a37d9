import type { FeedbackFilter, FeedbackRow } from '../../../api/feedback/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { feedbackTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    feedback: FeedbackRow;
  }
}

export const records = {
  feedback: {
    target: feedbackTarget,
    place: '/feedback',
    read: ({ feedback }, ids) => feedback.many({ ids }),
    open: 'feedback.open',
    by: ['words', 'email', 'id'],
    find: async ({ feedback }, text, clues) => {
      const list = async (filter: FeedbackFilter) => (await feedback.list({ ...newestFirst, filter })).rows;
      if (clues.includes('email')) return list({ email: text });
      // One word may be part of an email address or of the content.
      const isLocalPart = /^[\w.+-]{3,64}$/.test(text);
      const [emailMatches, textMatches] = await Promise.all([isLocalPart ? list({ email: text }) : [], list({ q: text })]);
      return [...emailMatches, ...textMatches.filter(({ id }) => !emailMatches.some((row) => row.id === id))].slice(
        0,
        newestFirst.limit,
      );
    },
    note: ({ createdAt }) => formatTime(createdAt),
    restored: {
      as: 'feedback',
      by: 'feedback.restore',
      read: ({ feedback }, ids, options) => feedback.versions({ ids }, options),
    },
  },
} as const satisfies RecordKinds;

const resourceAliases = '意见 工单 留言 ticket complaint';

export const aliases = {
  'go.feedback': '意见 工单 客服 留言 投诉 意见反馈 ticket complaint message support',
  'feedback.process': `${resourceAliases} 完成 已处理 已读 标记已读 处理 办结 done handled mark read resolve`,
  'feedback.reopen': `${resourceAliases} 重新打开 退回 未读 没处理 reopen unread unresolved`,
  'feedback.reply': `${resourceAliases} 邮件 答复 回信 回邮件 mail answer email respond`,
  'feedback.delete': `${resourceAliases} ${commonAliases.delete} 垃圾 spam`,
  'feedback.bin': '回收站 垃圾箱 找回 bin trash recycle-bin',
  'feedback.restore': `${resourceAliases} ${commonAliases.restore} 恢复`,
  'feedback.open': `${resourceAliases} ${commonAliases.open}`,
  'feedback.pictures': `${resourceAliases} 看图 截图 附件 照片 image screenshot attachment`,
  'feedback.triage': `${resourceAliases} 批量 审阅 快速处理 挨个 inbox read-through one-by-one`,
  'feedback.processNext': `${resourceAliases} 下一条 完成 已读 接着 done next resolve`,
} as const satisfies Aliases;
