import { atom, computed } from 'nanostores';
import type { CommandId } from '../../../api/names.ts';
import { readStored, readStoredJson, writeStored } from '../../lib/prefs/storage.ts';
import { registry } from './registry.ts';
import { resolveKeymap, type KeyOverrides } from '../engine/keys/keys.ts';

export const keysKey = 'prefs.keys';
export const singleKey = 'prefs.singleKeys';

/** A person's own keys, kept in this browser. */
export const $overrides = atom<KeyOverrides>(readStoredJson(keysKey, isOverrides) ?? {});

/** Single-letter keys can be switched off altogether (WCAG 2.1.4). */
export const $singleKeys = atom(readStored(singleKey) !== 'off');

export function setSingleKeys(on: boolean): void {
  writeStored(singleKey, on ? null : 'off');
  $singleKeys.set(on);
}

/** Every binding as it counts for this person: what the listener obeys and every chip shows. */
export const $keymap = computed([registry.$all, $overrides], resolveKeymap);

let read: ReturnType<typeof $keymap.get> | null = null;
const byId = new Map<string, string[]>();

/** A command's keys, the main ones first. Kept here, not in a computed store: each read of one that nobody follows sets a timer, and every row of the palette reads. */
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
