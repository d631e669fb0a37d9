import type { Functions, Name } from '../naming.ts';

export const feedbackNames = {
  'feedback.process': { zh: '标记反馈为已处理', en: 'Mark feedback as processed' },
  'feedback.reopen': { zh: '标记反馈为未处理', en: 'Mark feedback as untreated' },
  'feedback.reply': { zh: '回复反馈', en: 'Reply to feedback' },
  'feedback.delete': { zh: '删除反馈', en: 'Delete feedback' },
  'feedback.restore': { zh: '恢复已删除的反馈', en: 'Restore deleted feedback' },
  'feedback.bin': { zh: '已删除的反馈', en: 'Deleted feedback' },
  'feedback.open': { zh: '查看反馈', en: 'Open feedback' },
  'feedback.pictures': { zh: '查看反馈图片', en: 'View feedback pictures' },
  'feedback.triage': { zh: '逐条处理反馈', en: 'Triage feedback' },
  'feedback.processNext': { zh: '处理并继续下一条', en: 'Process and continue' },
} as const satisfies Record<string, Name>;

export const feedbackFunctions = {
  '/feedback': ['feedback.process', 'feedback.reopen', 'feedback.reply', 'feedback.delete', 'feedback.restore'],
} as const satisfies Functions<typeof feedbackNames>;
