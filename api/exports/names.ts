import type { Name } from '../naming.ts';

export const exportNames = {
  'exportJobs.open': { zh: '查看我的导出', en: 'Open my exports' },
  'exportJobs.download': { zh: '下载导出文件', en: 'Download export' },
  'exportJobs.cancel': { zh: '停止导出', en: 'Stop export' },
  'exportJobs.remove': { zh: '删除导出', en: 'Delete export' },
} as const satisfies Record<string, Name>;
