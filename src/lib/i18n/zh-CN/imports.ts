import { groupDigits } from '../../format.ts';

export const imports = {
  title: { points: '积分导入', airdrops: '空投导入', teams: '团队导入', draws: '抽奖导入' },
  none: '暂无导入记录',
  empty: '拖入、粘贴或选择 CSV 文件。系统会先检查每一行，再由您开始导入。',
  takes: '拖入、粘贴或选择 CSV（UTF-8 或 GB18030，最多 100,000 行、20 MB）',
  drop: '松开以导入',
  pasted: '粘贴的内容.csv',
  field: { file: 'CSV 文件' },
  state: { checked: '待开始', running: '导入中', canceled: '已取消', failed: '已中断', done: '已完成', undone: '已撤销' },
  delimiter: { comma: '逗号分隔', semicolon: '分号分隔', tab: '制表符分隔' },
  by: '{{by}} · {{at}}',
  counts: '共 {{total}} 行，{{good}} 行有效，{{bad}} 行无效',
  result: '共 {{total}} 行，已导入 {{imported}} 行，跳过 {{refused}} 行',
  progress: '已处理 {{worked}} / {{total}} 行',
  allIn: '已导入 {{count}} 行',
  tellEarlier: '{{by}} 已于 {{at}} 导入过该文件（{{count}} 行），再次导入会重复计入。',
  failed: '导入多次出错，已中断。已导入的行会保留，您可以继续或撤销。',
  background: '关闭页面不影响导入。',
  columns: '字段匹配',
  column: '{{field}}对应的列',
  noColumn: '未选择',
  headed: '首行是列名',
  missing: '请为以下字段选择列：{{fields}}',
  first: '前几行',
  badRows: '无效行',
  badMore: '仅显示前 {{count}} 行，下载后可查看全部。',
  line: '行',
  why: '未导入原因',
  lineInFile: '原文件行号',
  and: '；',
  badFile: '未导入',
  template: { points: '积分导入模板', airdrops: '空投导入模板', teams: '团队导入模板', draws: '抽奖导入模板' },
  startCount: '导入 {{count}} 行',
  started: '已开始导入',
  goesIn: '将导入 {{good}} 行（共 {{total}} 行）。',
  staysOut: '{{bad}} 行无效，将跳过。可下载修改后再导入。',
  again: '{{by}} 已于 {{at}} 导入过该文件（{{count}} 行），每一行都会重复计入。',
  badSaved: ({ count }: { count: number }) => `已下载 ${groupDigits(count)} 行`,
  older: '加载更早的记录',
  all: '全部导入记录',
  running: '正在导入 {{name}}：{{percent}}%',
  waiting: '{{name}} 已检查，等待开始',
  show: '查看导入',
  gone: '该导入记录已不存在。',
  blocked: {
    started: '导入已开始',
    nothingGood: '没有有效行，请检查字段匹配',
    notRunning: '导入未在进行',
    notStopped: '该导入未取消或中断',
    notStarted: '导入尚未开始',
    undone: '该导入已撤销',
    nothingBad: '没有无效行',
  },
  kinds: {
    import: '导入',
  },
};

export const teams = {
  ask: {
    startImport: { title: '确定开始导入团队？', act: '开始导入', body: '将替换相同队长的已有数据。' },
    undoImport: { title: '确定撤销整个导入？', act: '撤销导入', body: '将移除导入的团队，并恢复此前的数据。' },
  },
};

export const draws = {
  ask: {
    startImport: { title: '确定开始导入抽奖？', act: '开始导入', body: '未注明时区的时间按 UTC 处理。' },
    undoImport: { title: '确定撤销整个导入？', act: '撤销导入', body: '将删除本次导入的所有抽奖。' },
  },
};
