import type { FeedbackFilter, FeedbackRow } from '../../../api/feedback/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
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
      const list = async (filter: FeedbackFilter) => (await feedback.list({ ...newest, filter })).rows;
      if (clues.includes('email')) return list({ email: text });
      // One word may be part of a mailbox as well as of what was written.
      const isMailbox = /^[\w.+-]{3,64}$/.test(text);
      const [by, said] = await Promise.all([isMailbox ? list({ email: text }) : [], list({ q: text })]);
      return [...by, ...said.filter(({ id }) => !by.some((row) => row.id === id))].slice(0, newest.limit);
    },
    note: ({ createdAt }) => formatTime(createdAt),
    restored: {
      as: 'feedback',
      by: 'feedback.restore',
      read: ({ feedback }, ids, options) => feedback.versions({ ids }, options),
    },
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.feedback': '意见 messages',
  'feedback.process': '完成 已处理 done handled mark',
  'feedback.reopen': '重新打开 reopen undo',
  'feedback.reply': '邮件 答复 mail answer email',
  'feedback.delete': '移除 remove',
  'feedback.restore': '还原 恢复 undelete',
  'feedback.open': '详情 details view',
  'feedback.pictures': '看图 截图 images screenshots',
  'feedback.triage': '批量 审阅 inbox read through',
  'feedback.processNext': '下一条 done next',
} as const satisfies Aliases;
