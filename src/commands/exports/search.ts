import type { Aliases } from '../engine/resource.ts';

export const aliases = {
  'exportJobs.open': '导出记录 导出进度 导出任务 我的文件 exports jobs progress files',
  'exportJobs.download': '下载导出 保存文件 取回文件 fetch retrieve savefile',
  'exportJobs.cancel': '取消导出 中止导出 终止导出 halt interrupt cancelexport',
  'exportJobs.remove': '移除导出 清理文件 删除文件 clean purge discard',
} as const satisfies Aliases;
