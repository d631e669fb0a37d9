import { countText } from '../../plural.ts';

export const permissions = {
  title: 'Permission settings',
  tree: 'Permission tree',
  none: 'The permission tree is empty',
  search: 'Search by name or identifier',
  field: {
    name: 'Name',
    place: 'Position',
    to: 'Relative to',
    identifier: 'Identifier',
    zh: 'Chinese name',
    en: 'English name',
    roles: 'Granted by',
  },
  menuRule: 'Start with / for a menu (for example, /news).',
  blocked: { holdsNoMenu: 'Only a menu group can hold a submenu. Select a group.' },
  identifierRule:
    'Start with / for a menu (for example, /news). Anything else is a function inside a menu (for example, news.add).',
  kind: { menu: 'Menu', function: 'Function' },
  place: { under: 'Inside', before: 'Before', after: 'After' },
  noEffect: 'No effect',
  noEffectWhy: 'No screen or command uses this identifier, so granting it has no effect',
  rolesNone: 'No role grants it',
  count: ({ n }: { n: number }) => countText(n, 'node'),
  goes: '{{name}} ({{identifier}}) will be deleted',
  goesFrom: '{{name}} ({{identifier}}) will be deleted. These roles lose the permission: {{roles}}.',
  change: {
    added: '{{name}} ({{identifier}}) will be restored. No role grants the permission yet.',
    renamed: '{{identifier}} will be renamed back to “{{name}}”',
    moved: '{{name}} ({{identifier}}) will move back to its original position',
  },
  noChanges: 'The tree already matches the built-in tree. Nothing will change.',
  kinds: {
    permission: 'Permission node',
  },
  ask: {
    delete: {
      title: 'Delete this node and everything below it?',
      act: 'Delete node',
      body: 'Roles lose the deleted permissions. Adding the same identifiers later doesn’t give the permissions back to the roles.',
    },
    reset: {
      title: 'Reset to the built-in tree?',
      act: 'Reset permission tree',
      body: 'Roles keep every permission that exists in the built-in tree.',
    },
  },
};
