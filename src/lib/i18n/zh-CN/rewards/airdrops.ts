import { createMeasuredNouns } from '../../nouns.ts';
export const airdrops = {
  ...createMeasuredNouns('空投', '条'),
  title: 'NFT 空投管理',
  none: '暂无空投',
  empty: '管理每个地址的积分、NFT 数量、等级和阶段。',
  search: '搜索地址…',
  field: {
    address: '地址',
    berries: '积分',
    nftNumber: 'NFT 数量',
    nftLevel: 'NFT 等级',
    stage: '阶段',
    createdAt: '创建时间',
    updatedAt: '更新时间',
    importId: '导入记录',
    importLine: '导入行号',
  },
  kinds: {
    airdrop: 'NFT 空投',
    airdropsExport: '空投导出',
  },
  ask: {
    delete: { body: '将从列表移除，可撤销，也可在操作日志中恢复。' },
    startImport: { title: '确定开始导入空投？' },
    undoImport: { body: '将删除本次导入的所有空投。' },
  },
};
