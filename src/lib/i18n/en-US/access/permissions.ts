export const permissions = {
  title: 'Permission settings',
  tree: 'Permission tree',
  none: 'The permission tree is empty',
  search: 'Search names in both languages, or identifiers',
  field: {
    place: 'Place',
    to: 'Node',
    identifier: 'Identifier',
    zh: 'Chinese name',
    en: 'English name',
    roles: 'Roles that grant it',
  },
  identifierRule: 'With / in front it is a menu, as /news, beside other menus; else a function, as news.add, inside a menu',
  kind: { menu: 'Menu', function: 'Function' },
  place: { under: 'Inside it', before: 'Before it', after: 'After it' },
  noEffect: 'No effect',
  noEffectWhy: 'No screen or command has this identifier: granting it has no effect',
  rolesNone: 'No role grants it',
  count: '{{n}} nodes',
  goes: '{{name}} ({{identifier}}) is deleted',
  goesFrom: '{{name}} ({{identifier}}) is deleted, and lost by: {{roles}}',
  change: {
    added: '{{name}} ({{identifier}}) comes back, granted by no role yet',
    renamed: '{{identifier}} is called “{{name}}” again',
    moved: '{{name}} ({{identifier}}) goes back to its place',
  },
  noChanges: 'The tree is the built-in one already: nothing changes.',
  kinds: {
    permission: 'Permission node',
  },
  ask: {
    delete: {
      title: 'Delete this node and everything below it?',
      act: 'Delete node',
      body: 'The same identifier added again does not bring its grants back.',
    },
    reset: {
      title: 'Go back to the built-in tree?',
      act: 'Reset the tree',
      body: 'What still exists stays granted as it is.',
    },
  },
};
