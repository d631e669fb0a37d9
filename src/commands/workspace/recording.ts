import { atom } from 'nanostores';
import type { AnyCommand } from '../engine/define.ts';

/** One command that was given while recording, and what came of it. Holds no secret, no file and no result but its ids. */
export interface Step {
  command: AnyCommand;
  targets: readonly string[];
  params: Readonly<Record<string, unknown>>;
  /** Why it was refused; null when it ran. */
  refused: string | null;
  /** Ids in its result, with where they stand in it. */
  ids: readonly { path: readonly (string | number)[]; id: string }[];
}

/** Where it began, and what was done since. */
export interface Recording {
  path: string;
  steps: readonly Step[];
}

/** The recording that is under way. */
export const $recording = atom<Recording | null>(null);
/** A script made of one, which waits to be looked at. */
export const $recorded = atom<{ text: string; count: number } | null>(null);
