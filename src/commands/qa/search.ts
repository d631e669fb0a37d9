import type { Aliases } from '../engine/resource.ts';

export const aliases = {
  'qa.toggle': '高级 录制 开发者 advanced recorder developer',
  'qa.record': '测试 脚本 录制 自动化 recorder test script playwright',
  'qa.expect': '断言 期望 检查 校验 assertion assert check',
  'qa.stopRecording': '测试 脚本 结束 完成录制 recorder test finish end playwright',
} as const satisfies Aliases;
