export const arrivals = { show: '{{n}} 条新记录', none: '暂无新记录' };

export const columns = {
  sort: '排序',
  newest: '{{column}}：降序',
  oldest: '{{column}}：升序',
  title: '列',
  up: '上移：{{column}}',
  down: '下移：{{column}}',
  narrower: '缩小列宽：{{column}}',
  wider: '加大列宽：{{column}}',
  keys: '选中列后，按 Alt 与上下方向键移动，与左右方向键调整列宽。也可拖动列名或列边。',
  reset: '恢复默认列',
};

/** By verb. */
export const did = {
  add: '已新增{{of}}',
  edit: '已更新{{of}}',
  delete: '已删除{{of}}',
  restore: '已恢复{{of}}',
  show: '已展示{{of}}',
  hide: '已隐藏{{of}}',
  process: '已将{{of}}标记为已处理',
  reopen: '已将{{of}}标记为未处理',
  enable: '已启用{{of}}',
  disable: '已停用{{of}}',
};

export const records = {
  noneOpen: '没有打开的记录',
  last: '已是列表的最后一条',
  first: '已是列表的第一条',
  explored: '查看对象',
  nothingOnChain: '该记录没有链上内容',
  noExplorer: '未配置该链的区块浏览器',
};

export const pictures = {
  title: '图片',
  titleOf: '第 {{n}} 张图片，共 {{of}} 张',
  next: '下一张',
  previous: '上一张',
  larger: '放大',
  smaller: '缩小',
  fit: '适应窗口',
  copy: '复制图片',
  copiedLink: '无法复制图片，已复制图片链接',
  kinds: {
    picture: '图片',
  },
};
