import type { MailTexts } from '../platform/content/bilingual-mail.ts';

/** Footer of a reply to a visitor. */
export const replyTexts: MailTexts = {
  subject: { zh: '您的反馈已有回复', en: 'Reply to your feedback' },
  body: {
    zh: '以上是对您在官网提交的反馈（{{time}}）的回复。如需补充，请在官网再次提交反馈。如果您没有提交过反馈，请忽略此邮件。',
    en: 'This is our reply to the feedback that you sent on our website ({{time}}). To add something, send new feedback on our website. If you didn’t send feedback, ignore this email.',
  },
};
