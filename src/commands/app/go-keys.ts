import { navigation } from './navigation.ts';
import { keysOf } from './keymap.ts';

const idByPath = new Map<string, (typeof navigation)[number]['id']>(navigation.map(({ id, permission }) => [permission, id]));

export function navigationKeysFor(path: string): string | undefined {
  const id = idByPath.get(path);
  return id && keysOf(id)[0];
}
