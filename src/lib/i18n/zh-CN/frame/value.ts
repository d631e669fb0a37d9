/** What links, pictures, copies and notices say, wherever they stand. */
export const value = {
  copy: '复制',
  copyOf: '复制{{label}}',
  copyFailed: '浏览器拒绝访问剪贴板，请手动选中并复制。',
  noPicture: '无图片',
  notALink: '不是有效的 http 或 https 链接',
  explorer: '在新标签页用区块浏览器 {{host}} 查看',
  opensOutside: '在新标签页打开 {{host}}',
  pictureUnseen: '无法预览此图片',
  notifications: '通知',
  unknown: '未知',
  exact: '精确值',
  allExact: '当前数字均为精确值',
  network: { mainnet: '比特币主网', testnet: '比特币测试网', signet: '比特币 Signet', regtest: '比特币 Regtest' },
};
