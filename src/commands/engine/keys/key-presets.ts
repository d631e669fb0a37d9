import type { CommandId } from '../../../../api/names.ts';

/** A person's own keys by command id; an empty list takes the keys away. */
export type KeyOverrides = Readonly<Record<string, readonly string[]>>;

type Own = Partial<Record<CommandId, readonly string[]>>;

/** The keys people bring along from elsewhere: only what differs from the defaults. */
export const keyPresets = {
  default: {},
  vim: {
    'palette.open': ['mod+k', ':'],
    'list.first': ['g g', 'home'],
    'list.last': ['shift+g', 'end'],
    'list.copy': ['y y'],
    'crsm.claimAllCollateralGains': ['shift+l'],
  },
  gmail: {
    'history.undo': ['z', 'mod+z'],
    'list.open': ['o', 'enter'],
    'record.whole': [], // as list.open does, once more
    'list.selectAll': ['* a', 'mod+a'],
    'list.clear': ['* n', 'escape'],
    'list.refresh': ['shift+n', 'r'],
  },
} as const satisfies Record<string, Own>;

export type KeyPreset = keyof typeof keyPresets;
export const keyPresetNames = Object.keys(keyPresets) as [KeyPreset, ...KeyPreset[]];

/** Which preset these keys are; null when they are a person's own. */
export function presetOf(own: KeyOverrides): KeyPreset | null {
  const text = (keys: KeyOverrides) => JSON.stringify(Object.entries(keys).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return keyPresetNames.find((name) => text(keyPresets[name]) === text(own)) ?? null;
}
