/** Whether the server answers, and with which build. */
export const state = {
  offline: '服务器没有应答，现在无法更改任何内容。',
  asOf: '以下内容截至 {{time}}（{{ago}}）。',
  again: '立即重试',
  back: '服务器已恢复应答，内容已更新。',
  newer: '面板有新版本。',
  reload: '重新加载',
};
