import type { Name } from './names.ts';

/** The commands of whoever tests the panel. */
export const qaNames = {
  'qa.record': { zh: '开始录制操作', en: 'Record what I do' },
  'qa.stopRecording': { zh: '停止录制并查看脚本', en: 'Stop recording and show the script' },
} as const satisfies Record<string, Name>;
