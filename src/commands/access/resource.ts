import type { Places } from '../engine/resource.ts';

export const places = {
  '/permissions': { icon: 'shield-check' },
  '/permissions/administrator': { go: 'go.administrator', icon: 'user-cog', keys: 'g m' },
  '/permissions/role': { go: 'go.role', icon: 'id-card', keys: 'g r' },
  '/permissions/permission': { go: 'go.permission', icon: 'list-tree' },
} as const satisfies Places;
