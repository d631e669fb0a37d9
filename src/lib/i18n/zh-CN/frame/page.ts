/** The page around a screen: where one is, the commands at hand on a small one, and paper. */
export const page = {
  crumbs: '导航路径',
  commands: '本页命令',
  more: '更多',
  filter: '筛选',
  search: '命令',
  browserMenu: 'Shift + 右键：浏览器菜单',
  printed: '{{email}} 打印于 {{time}}',
  filtered: '筛选：{{filters}}',
  rowsAll: '共 {{n}} 条',
  rowsPart: '共 {{of}} 条，仅打印已加载的 {{n}} 条',
  rowsLoaded: '仅打印已加载的 {{n}} 条，其余未加载',
  newest: '{{column}}：降序',
  oldest: '{{column}}：升序',
  resetColumns: '恢复默认列',
};
