/** Also used outside the layout. */
export const shell = {
  title: '管理后台',
  otherLanguage: 'English',
  switchLanguage: '切换为 English',
  notFound: {
    title: '找不到此页面',
    text: '该页面不存在，或您没有查看权限。',
    asked: '访问的地址',
    home: '返回首页',
  },
  failed: {
    title: '发生错误，请重试！',
    chunk: 'Loading chunk failed（页面文件加载失败）',
    styles: 'Loading CSS chunk failed（样式文件加载失败）',
    missing: '文件下载失败（missing）。请检查网络后重试。',
    gone: '系统已更新（missing）。请重新加载页面以使用新版本。',
    timeout: '120 秒内未能下载完成（timeout）。请检查网络后重试。',
    broken: '文件已损坏（{{type}}）。请重试，或重新加载页面。',
    reload: '重新加载页面',
  },
};
