export const session = {
  kinds: {
    session: '登录设备',
  },
  ask: {
    signOut: { title: '确认退出登录', act: '退出登录' },
  },
};
