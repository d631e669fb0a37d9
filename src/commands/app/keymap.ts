import { atom, computed } from 'nanostores';
import type { CommandId } from '../../../api/names.ts';
import { readStored, readStoredJson, writeStored } from '../../lib/prefs/storage.ts';
import { registry } from './registry.ts';
import { resolveKeymap, type KeyOverrides } from '../engine/keys/keys.ts';

export const overridesStorageKey = 'prefs.keys';
export const singleKeysStorageKey = 'prefs.singleKeys';

export const $overrides = atom<KeyOverrides>(readStoredJson(overridesStorageKey, isKeyOverrides) ?? {});

/** WCAG 2.1.4: single-letter keys can be switched off. */
export const $singleKeys = atom(readStored(singleKeysStorageKey) !== 'off');

export function setSingleKeys(isOn: boolean): void {
  writeStored(singleKeysStorageKey, isOn ? null : 'off');
  $singleKeys.set(isOn);
}

export const $keymap = computed([registry.$all, $overrides], resolveKeymap);

let cachedKeymap: ReturnType<typeof $keymap.get> | null = null;
const keysById = new Map<string, string[]>();

/**
 * Not a computed store, because each unfollowed read sets a timer and every row of the palette
 * reads.
 */
export function keysOf(id: CommandId): readonly string[] {
  const keymap = $keymap.get();
  if (keymap !== cachedKeymap) {
    cachedKeymap = keymap;
    keysById.clear();
    for (const { id, keys } of keymap) keysById.set(id, [...(keysById.get(id) ?? []), keys]);
  }
  return keysById.get(id) ?? [];
}

export function isKeyOverrides(value: unknown): value is KeyOverrides {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((keys) => Array.isArray(keys) && keys.every((text) => typeof text === 'string'))
  );
}
