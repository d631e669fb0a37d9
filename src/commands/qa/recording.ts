import { atom } from 'nanostores';
import type { CommandId } from '../../../api/names.ts';
import { readOfTab, writeOfTab } from '../../lib/prefs/storage.ts';

/** One command that was given while recording, and what came of it; `qa.expect`: what was to be seen then. Plain data: it outlives a reload. Holds no secret, no file and no result but its ids. */
export interface Step {
  id: CommandId;
  permission: string;
  /** Whether a script has to say yes. */
  confirms: boolean;
  targets: readonly string[];
  params: Readonly<Record<string, unknown>>;
  /** Parameters that are kept nowhere: secrets, files. */
  unsaid: readonly string[];
  /** Why it was refused; null when it ran. */
  refused: string | null;
  /** Ids in its answer, with where they stand in it. */
  ids: readonly { path: readonly (string | number)[]; id: string }[];
}

/** Where it began, and what was done since. */
export interface Recording {
  path: string;
  steps: readonly Step[];
}

const key = 'qa.recording';

/** The recording that is under way in this tab: it goes on after a reload. */
export const $recording = atom<Recording | null>(readKept());
$recording.listen((recording) => {
  writeOfTab(key, recording && JSON.stringify(recording));
});

/** Adds what was done, where a recording is under way. */
export function keepStep(step: Step): void {
  const recording = $recording.get();
  if (recording) $recording.set({ ...recording, steps: [...recording.steps, step] });
}

/** A script made of one, which waits to be looked at. */
export const $recorded = atom<{ text: string; count: number } | null>(null);

function readKept(): Recording | null {
  try {
    return JSON.parse(readOfTab(key) ?? 'null') as Recording | null;
  } catch {
    return null;
  }
}
