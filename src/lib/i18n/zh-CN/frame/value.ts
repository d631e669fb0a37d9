/** What links, pictures, copies and notices say, wherever they stand. */
export const value = {
  copy: '复制',
  copyOf: '复制{{label}}',
  copyFailed: '浏览器阻止了复制，请手动选中并复制。',
  noPicture: '暂无图片',
  notALink: '不是有效的 http 或 https 链接',
  explorer: '在区块浏览器 {{host}} 中查看（新标签页）',
  opensOutside: '打开 {{host}}（新标签页）',
  pictureUnseen: '无法预览该图片',
  notifications: '通知',
  unknown: '未知',
  exact: '精确值',
  allExact: '当前数字均为精确值',
  network: { mainnet: '比特币主网', testnet: '比特币测试网', signet: '比特币 Signet', regtest: '比特币 Regtest' },
};
