import type { Name } from './names.ts';

/** The commands of feedback, notices, points and airdrops. */
export const contentNames = {
  // Feedback
  'feedback.process': { zh: '处理反馈', en: 'Process feedback' },
  'feedback.reopen': { zh: '改回未处理', en: 'Mark as untreated' },
  'feedback.reply': { zh: '回复反馈', en: 'Reply to feedback' },
  'feedback.delete': { zh: '删除反馈', en: 'Delete feedback' },
  'feedback.restore': { zh: '恢复已删除的反馈', en: 'Restore deleted feedback' },
  'feedback.open': { zh: '查看反馈', en: 'Open feedback' },
  'feedback.pictures': { zh: '查看反馈图片', en: 'View feedback pictures' },
  'feedback.triage': { zh: '逐条处理反馈', en: 'Triage feedback' },
  'feedback.processNext': { zh: '处理并看下一条', en: 'Process and go on' },
  // Notices
  'notices.add': { zh: '新增公告', en: 'Add notice' },
  'notices.edit': { zh: '修改公告', en: 'Change notice' },
  'notices.delete': { zh: '删除公告', en: 'Delete notice' },
  'notices.show': { zh: '展示公告', en: 'Show notice' },
  'notices.hide': { zh: '不展示公告', en: 'Do not show notice' },
  'notices.restore': { zh: '恢复公告的早先版本', en: 'Restore an earlier version of a notice' },
  'notices.preview': { zh: '预览公告', en: 'Preview notice' },
  'notices.open': { zh: '查看公告', en: 'Open notice' },

  // Points
  'points.adjust': { zh: '调整积分', en: 'Adjust points' },
  'points.reverse': { zh: '冲销积分', en: 'Reverse points' },
  'points.export': { zh: '导出积分', en: 'Export points' },
  'points.open': { zh: '查看地址的积分', en: "Open an address's points" },
  'points.copyAddress': { zh: '复制积分地址', en: 'Copy address of entry' },
  'points.view': { zh: '切换积分明细与余额', en: 'Switch between ledger and balances' },
  'balances.open': { zh: '查看积分余额', en: 'Open balance' },
  'balances.copyAddress': { zh: '复制余额地址', en: 'Copy address of balance' },

  // NFT airdrops
  'airdrops.add': { zh: '新增空投', en: 'Add airdrop' },
  'airdrops.edit': { zh: '编辑空投', en: 'Edit airdrop' },
  'airdrops.setLevel': { zh: '设置NFT等级', en: 'Set NFT level' },
  'airdrops.setStage': { zh: '设置空投阶段', en: 'Set airdrop stage' },
  'airdrops.delete': { zh: '删除空投', en: 'Delete airdrop' },
  'airdrops.restore': { zh: '恢复空投的早先版本', en: 'Restore an earlier version of an airdrop' },
  'airdrops.export': { zh: '导出空投', en: 'Export airdrops' },
  'airdrops.open': { zh: '查看空投', en: 'Open airdrop' },
  'airdrops.copyAddress': { zh: '复制空投地址', en: 'Copy airdrop address' },
} as const satisfies Record<string, Name>;
