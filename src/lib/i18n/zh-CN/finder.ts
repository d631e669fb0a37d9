/** What the palette says of the records it finds and of the row that is highlighted. It comes with the palette. */
export const finder = {
  found: ({ count }: { count: number }) => `找到 ${count} 条记录`,
  searching: '正在搜索记录…',
  drop: '移除：{{name}}',
  conversions: '换算',
  within: '对这条记录执行命令…',
  nothingWithin: '没有可以对它执行的命令。',
  optionsLoading: '正在读取选项…',
  optionsEmpty: '没有可选项。',
  hint: { open: '打开', commands: '它的命令', newTab: '在新标签页打开', copyLink: '复制命令链接', copy: '复制' },
  preview: {
    on: '对象：{{names}}',
    more: '{{names}} 等 {{count}} 项',
    asks: '先确认',
    params: '填写：{{fields}}',
    danger: { none: '立即执行', reversible: '可撤销', irreversible: '先确认，不可撤销', money: '先完整核对，不可撤销' },
  },
  unit: {
    btc: 'BTC',
    satoshi: '聪（satoshi）',
    wei: 'wei（18 位小数）',
    gwei: 'gwei',
    ether: 'ETH、YU、YBTC',
    percent: '%',
    ratio: '1e18 = 100 %',
  },
};
