import { createMeasuredNouns } from '../nouns.ts';

export const feedback = {
  ...createMeasuredNouns('反馈', '条'),
  title: '反馈管理',
  none: '暂无反馈',
  empty: '官网访客提交的反馈会显示在这里。',
  field: {
    status: '状态',
    time: '时间',
    email: '邮箱',
    pictures: '图片',
    content: '内容',
    processed: '已处理',
    processedAt: '处理时间',
    replies: '回复',
    reply: '回复内容',
  },
  status: { untreated: '未处理', processed: '已处理' },
  markProcessed: '同时标记为已处理',
  search: '搜索内容…',
  unchecked: '由访客填写，未经验证',
  repliedBy: '{{by}} 回复',
  blocked: {
    processed: '该反馈已处理',
    untreated: '该反馈尚未处理',
    noPicture: '该反馈没有图片',
    there: '该反馈未删除',
    reading: '已在逐条处理中',
    notReading: '仅在逐条处理时可用',
  },
  triage: {
    title: '逐条处理',
    place: '第 {{n}} 条，共 {{of}} 条',
    leave: '返回列表',
    next: '下一条',
    previous: '上一条',
    done: '反馈已全部处理',
    doneText: '新反馈会自动显示在这里。',
    hint: '从最早的反馈开始，处理后自动跳到下一条，可随时撤销。',
  },
  kinds: {
    feedback: '反馈',
  },
  ask: {
    process: {
      title: '确定将{{these}}标记为已处理？',
      act: '标记{{noun}}为已处理',
    },
    processNext: {
      title: '确定将{{these}}标记为已处理？',
      act: '处理并继续',
      body: '仅确认一次。退出逐条处理前，再次执行“处理并继续”时不再确认。',
    },
    reopen: {
      title: '确定将{{these}}标记为未处理？',
      act: '标记{{noun}}为未处理',
    },
    delete: { body: '将从列表移除，可撤销，也可在“已删除的反馈”中恢复。' },
    restore: { title: '确定恢复该反馈？', act: '恢复反馈', body: '将连同图片和回复一起恢复，状态与删除前相同。' },
  },
};
