export const schedule = {
  startsAt: '开始展示时间',
  endsAt: '结束展示时间',
  startHint: '留空则立即开始',
  endHint: '留空则一直展示',
  phase: '展示阶段',
  phases: { scheduled: '未开始', current: '进行中', over: '已结束' },
  live: '官网正在展示',
  hidden: '官网未展示：状态为“不展示”',
  scheduled: '官网未展示：{{time}} 开始',
  over: '官网未展示：已于 {{time}} 结束',
};
