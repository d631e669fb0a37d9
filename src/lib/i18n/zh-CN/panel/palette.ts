export const palette = {
  rowMenu: '{{name}} 的操作',
  blocked: {
    noList: '当前页面没有列表',
    pickFirst: '请先选择记录',
    onlyOne: '每次只能处理一条记录',
    tooMany: '每次最多处理 {{max}} 条记录',
    nothingToUndo: '没有可撤销的操作',
    cannotUndo: '“{{what}}”不能撤销',
    cannotUndoBut: '“{{what}}”不能撤销，可改用“{{instead}}”',
    nothingToRepeat: '没有可重复执行的命令',
    nothingSelected: '未选择任何行',
    notFiltered: '列表未筛选',
  },
};
