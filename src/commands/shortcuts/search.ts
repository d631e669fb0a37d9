import type { Aliases } from '../engine/resource.ts';

export const aliases = {
  'keys.edit': '改键 自定义 按键 热键 rebind remap customize hotkey',
  'keys.reset': '重置 还原 热键 初始化 defaults hotkey restore',
  'keys.export': '备份 下载 热键 backup hotkey download',
  'keys.import': '恢复 上传 热键 restore hotkey upload',
} as const satisfies Aliases;
