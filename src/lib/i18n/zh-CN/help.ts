export const help = {
  title: '帮助',
  pages: '帮助页',
  group: { start: '入门', content: '内容', money: '资金', data: '数据', access: '账户与权限' },
  onPage: '本页内容',
  next: '下一页：{{title}}',
  missing: '没有此帮助页',
  missingText: '请从列表中选择，或在命令面板中搜索。',
};
