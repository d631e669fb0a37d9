export const accountChangeKinds = [
  'created',
  'enabled',
  'email',
  'roles',
  'rights',
  'password',
  'factor',
  'wallet',
  'linked',
] as const;
export type AccountChangeKind = (typeof accountChangeKinds)[number];
