import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/permissions': { icon: 'shield-check' },
  '/permissions/administrator': { icon: 'user-cog', keys: 'g m', view: 'administrators', words: ['administrators'] },
  '/permissions/role': { icon: 'id-card', keys: 'g r', view: 'roles', words: ['roles'] },
  '/permissions/permission': { icon: 'list-tree', view: 'permissions', words: ['permissions'] },
  '/permissions/service': { icon: 'key-round', keys: 'g v', view: 'services', words: ['services'] },
  '/permissions/identity': { icon: 'link', keys: 'g k', view: 'identity', words: ['identity', 'services'] },
} as const satisfies ResourceScreens;
