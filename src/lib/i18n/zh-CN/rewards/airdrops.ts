export const airdrops = {
  title: 'NFT空投管理',
  none: '还没有空投',
  empty: '每个地址的积分、NFT 数量、等级和阶段在这里管理。',
  search: '搜索地址…',
  field: {
    address: '地址',
    berries: '积分',
    nftNumber: 'NFT数量',
    nftLevel: 'NFT等级',
    stage: '阶段',
    createdAt: '创建时间',
    updatedAt: '更新时间',
    importId: '导入编号',
    importLine: '导入行',
  },
  exporting: '正在导出 {{n}} / {{of}}',
  exported: ({ count }: { count: number }) => `已导出 ${count} 行`,
};
