export const state = {
  offline: '无法连接服务器，暂时不能修改数据。恢复后自动重连。',
  asOf: '数据截至 {{time}}（{{ago}}）。',
  asOfNow: '数据截至 {{time}}。',
  again: '立即重试',
  back: '已重新连接服务器，数据已更新。',
  newer: '系统有新版本，请重新加载。',
  reload: '重新加载页面',
  inactiveRoles: '以下角色在当前网络不可用：{{roles}}',
  networkRoles: '仅在角色允许的网络内有效：{{roles}}。',
};
