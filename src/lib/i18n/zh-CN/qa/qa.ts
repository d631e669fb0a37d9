export const qa = {
  on: '高级与测试功能已显示',
  off: '高级与测试功能已隐藏',
  started: '正在录制。完成后请执行“停止录制并查看脚本”。',
  running: '正在录制中',
  notRunning: '当前没有录制',
  seen: '预期文字',
  expected: ({ text }: { text: string }) => `已记录：脚本会检查“${text}”。`,
  title: '录制的脚本',
  intro: ({ count }: { count: number }) =>
    `${count} 步。脚本引用 @admin-panel/qa。保存到已安装该包的项目中，即可对任意已部署的后台运行。`,
  nothing: '录制期间未执行任何命令。',
  script: '脚本',
  download: '下载脚本',
};
