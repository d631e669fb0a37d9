import type { RecordedVersion } from '../../../api/history.ts';
import type { GroupPath, RoutePath, ScreenPath } from '../../../api/menu.ts';
import type { CommandId, Permission } from '../../../api/names.ts';
import type { Api } from '../../lib/net/client.ts';
import type { AuditKind } from '../../lib/i18n/i18n.ts';
import type { ScreenDictionary } from '../../lib/i18n/words.ts';
import type { Entities, EntityName, Target } from '../../lib/scope.ts';
import type { IconName } from '../../lib/ui/icon.tsx';

export interface CommandGroup {
  icon: IconName;
}

export interface Screen extends CommandGroup {
  keys?: string;
  words: readonly (ScreenDictionary | 'resources')[];
  /** Folder of its view, if it differs from the feature's. */
  view?: string;
}

export type ResourceScreens = { readonly [P in ScreenPath]?: Screen } & { readonly [P in GroupPath]?: CommandGroup };

/** `wholeAddress`: complete, always together with `address`. */
export type SearchClue = 'id' | 'address' | 'wholeAddress' | 'hash' | 'bitcoin' | 'email' | 'words';

export interface RecordKind<E extends EntityName> {
  target: (row: Entities[E]) => Target<E>;
  /** Permission to open this screen is permission to search. */
  place: RoutePath;
  /** Ids that no longer exist are left out. */
  read: (api: Api, ids: string[]) => Promise<Entities[E][]>;
  /** Without it, choosing a record shows its commands. */
  open?: CommandId;
  by?: readonly SearchClue[];
  find?: (api: Api, text: string, clues: readonly SearchClue[]) => Promise<Entities[E][]>;
  /** Tells records of the same name apart. */
  note?: (row: Entities[E]) => string;
  restored?: RestorableRecord;
}

export interface RestorableRecord {
  as: AuditKind;
  by: Permission;
  read: (api: Api, ids: string[], options: { signal?: AbortSignal }) => Promise<RecordedVersion[]>;
}

export type RecordKinds = { readonly [E in EntityName]?: RecordKind<E> };

export type Aliases = { readonly [Id in CommandId]?: string };

export const newestFirst = { sort: 'createdAt', direction: 'desc', cursor: null, limit: 5 } as const;

/** Immutable rows have version 1. */
export const targetOf =
  <E extends EntityName>(entity: E, nameOf: (row: Entities[E]) => string) =>
  (row: Entities[E]): Target<E> => {
    const { id, version = 1 }: { id: string; version?: number } = row;
    return { entity, id, version, name: nameOf(row), row } as Target<E>;
  };

/** Empty on any other screen. */
export const queryAt = (screenPath: string): URLSearchParams =>
  new URLSearchParams(typeof location !== 'undefined' && location.pathname === screenPath ? location.search : '');

/** Keeps the query: `/points?q=…&open=0x…`. */
export function addressBeside(screenPath: string, name: string, value: string): string {
  const query = queryAt(screenPath);
  query.set(name, value);
  return `${screenPath}?${query}`;
}
