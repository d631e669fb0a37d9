import { atom } from 'nanostores';
import type { CommandId } from '../../../api/names.ts';
import { readTabStored, writeTabStored } from '../../lib/prefs/storage.ts';

/** Survives a reload. Holds no secret, no file and only ids of the result. */
export interface RecordedStep {
  id: CommandId;
  permission: string;
  confirms: boolean;
  targets: readonly string[];
  params: Readonly<Record<string, unknown>>;
  /** Secrets and files. */
  unsaid: readonly string[];
  /** Null: it ran. */
  refused: string | null;
  ids: readonly { path: readonly (string | number)[]; id: string }[];
}

export interface Recording {
  path: string;
  steps: readonly RecordedStep[];
}

const key = 'qa.recording';

/** In session storage, so that a reload keeps it. */
export const $recording = atom<Recording | null>(readRecording());
$recording.listen((recording) => {
  writeTabStored(key, recording && JSON.stringify(recording));
});

export function recordStep(step: RecordedStep): void {
  const recording = $recording.get();
  if (recording) $recording.set({ ...recording, steps: [...recording.steps, step] });
}

export const $recorded = atom<{ text: string; count: number } | null>(null);

function readRecording(): Recording | null {
  try {
    return JSON.parse(readTabStored(key) ?? 'null') as Recording | null;
  } catch {
    return null;
  }
}
