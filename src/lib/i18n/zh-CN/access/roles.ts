export const roles = {
  title: '角色管理',
  none: '还没有角色',
  empty: '角色决定管理员能看到什么、能做什么。新增一个角色，再把它授予管理员。',
  search: '搜索名称或描述…',
  field: {
    name: '角色名称',
    description: '描述',
    needsFactor: '第二因素',
    grants: '权限',
    administrators: '管理员数',
    permissions: '权限数',
    createdAt: '创建时间',
  },
  needsFactor: '拥有此角色的人必须启用第二因素',
  factor: { needed: '必须', free: '不要求' },
  copyName: '{{name}} 副本',
  noEffect: '没有对应的页面或命令，不起作用',
  blocked: { notHeld: '您自己没有此权限，不能授予' },
  holders: '拥有此角色的管理员',
  holdersNone: '还没有人拥有此角色',
  disabled: '已停用',
  grantsNone: '未授予任何权限',
  kinds: {
    role: '角色',
  },
  ask: {
    delete: {
      title: ({ count }: { count: number }) => `确定删除这 ${count} 个角色？`,
      act: ({ count }: { count: number }) => `删除 ${count} 个角色`,
      body: '仍有人拥有的角色不能删除。删除后无法恢复。',
    },
  },
};
