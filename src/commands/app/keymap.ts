import { atom, computed } from 'nanostores';
import type { CommandId } from '../../../api/names.ts';
import { readStored, readStoredJson, writeStored } from '../../lib/prefs/storage.ts';
import { registry } from './registry.ts';
import { resolveKeymap, type KeyOverrides } from '../engine/keys/keys.ts';

export const keysKey = 'prefs.keys';
export const singleKey = 'prefs.singleKeys';

export const $overrides = atom<KeyOverrides>(readStoredJson(keysKey, isOverrides) ?? {});

/** WCAG 2.1.4: single-letter keys can be switched off. */
export const $singleKeys = atom(readStored(singleKey) !== 'off');

export function setSingleKeys(on: boolean): void {
  writeStored(singleKey, on ? null : 'off');
  $singleKeys.set(on);
}

export const $keymap = computed([registry.$all, $overrides], resolveKeymap);

let read: ReturnType<typeof $keymap.get> | null = null;
const byId = new Map<string, string[]>();

/**
 * Not a computed store, because each unfollowed read sets a timer and every row of the palette
 * reads.
 */
export function keysOf(id: CommandId): readonly string[] {
  const keymap = $keymap.get();
  if (keymap !== read) {
    read = keymap;
    byId.clear();
    for (const { id, keys } of keymap) byId.set(id, [...(byId.get(id) ?? []), keys]);
  }
  return byId.get(id) ?? [];
}

export function isOverrides(value: unknown): value is KeyOverrides {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((keys) => Array.isArray(keys) && keys.every((text) => typeof text === 'string'))
  );
}
