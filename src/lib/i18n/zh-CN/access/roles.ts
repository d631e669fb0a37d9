import { createMeasuredNouns } from '../../nouns.ts';

export const roles = {
  ...createMeasuredNouns('角色', '个'),
  title: '角色管理',
  none: '暂无角色',
  empty: '角色决定管理员可查看的页面和可执行的操作。先新增角色，再分配给管理员。',
  search: '搜索名称或描述…',
  field: {
    name: '角色名称',
    description: '描述',
    needsFactor: '双重验证',
    grants: '权限',
    mayGrant: '可授予的角色',
    administrators: '管理员数',
    permissions: '权限数',
    createdAt: '创建时间',
  },
  needsFactor: '该角色的管理员必须启用双重验证',
  factor: { needed: '必须启用', free: '不要求' },
  copyName: '{{name}}（副本）',
  noEffect: '没有页面或命令使用该标识，授予后无效果',
  mayGrantNone: '该角色不能授予其他角色',
  noneToGrant: '暂无角色，请先新增角色',
  mayGrantHint: '拥有该角色的管理员可授予这些角色，即使没有角色中的权限。',
  blocked: {
    notHeld: '不能授予您自己没有的权限',
    guarded: '含托管、CRSM、权限或审计权限的角色，只能由具备这些权限的管理员授予',
    beyond: '您不能授予该角色',
  },
  holders: '该角色的管理员',
  holdersNone: '暂无管理员',
  disabled: '已停用',
  grantsNone: '暂无权限',
  kinds: {
    role: '角色',
  },
  ask: {
    delete: { body: '已分配给管理员的角色不能删除。删除后无法恢复。' },
  },
};
