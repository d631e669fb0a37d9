import type { Name } from '../naming.ts';

export const qaNames = {
  'qa.toggle': { zh: '显示或隐藏高级与测试功能', en: 'Show or hide QA and expert features' },
  'qa.record': { zh: '开始录制操作', en: 'Start recording actions' },
  'qa.expect': { zh: '录制预期结果', en: 'Record an expected result' },
  'qa.stopRecording': { zh: '停止录制并查看脚本', en: 'Stop recording and show script' },
} as const satisfies Record<string, Name>;
