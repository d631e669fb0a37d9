import type { RecordedVersion } from '../../../api/history.ts';
import type { GroupPath, RoutePath, ScreenPath } from '../../../api/menu.ts';
import type { CommandId, Permission } from '../../../api/names.ts';
import type { Api } from '../../lib/net/client.ts';
import type { AuditKind } from '../../lib/i18n/i18n.ts';
import type { ScreenWords } from '../../lib/i18n/words.ts';
import type { Entities, EntityName, Target } from '../../lib/scope.ts';
import type { IconName } from '../../lib/ui/icon.tsx';

/** A group of the menu. */
export interface Group {
  icon: IconName;
}

/** A screen: with which keys it is gone to, what is drawn beside its name, and what it waits for. */
export interface Screen extends Group {
  keys?: string;
  /** Where the menu has another one. */
  menuIcon?: IconName;
  /** Its words beside the layout's: files of words by their name, or all that commands say wherever they are run. */
  words: readonly (ScreenWords | 'resources')[];
  /** The folder of its view in the feature's, where it is not that itself. */
  view?: string;
}

/** The screens of a feature, and the groups of the menu that it names. */
export type Places = { readonly [P in ScreenPath]?: Screen } & { readonly [P in GroupPath]?: Group };

/** What a typed or pasted text may name a record by. `wholeAddress` comes with `address`: there is no more to type. */
export type Clue = 'id' | 'address' | 'wholeAddress' | 'hash' | 'bitcoin' | 'email' | 'words';

/** A kind of record: how it is called, read again, looked for, brought back. */
export interface RecordKind<E extends EntityName> {
  target: (row: Entities[E]) => Target<E>;
  /** The screen it belongs to: who may open that may look for it. */
  place: RoutePath;
  /** Reads the records that an invocation names; ids that no longer exist are left out. */
  read: (api: Api, ids: string[]) => Promise<Entities[E][]>;
  /** The command that opens one; without it, choosing one in the palette shows its commands. */
  open?: CommandId;
  /** What it is found by; `id` is read as commands read their targets. */
  by?: readonly Clue[];
  find?: (api: Api, text: string, clues: readonly Clue[]) => Promise<Entities[E][]>;
  /** What tells one from another of its name. */
  note?: (row: Entities[E]) => string;
  restored?: Restored;
}

/** Where recorded states of a kind of record are read, and the command that brings one back. */
export interface Restored {
  /** The audit's word for the record. */
  as: AuditKind;
  by: Permission;
  read: (api: Api, ids: string[], options: { signal?: AbortSignal }) => Promise<RecordedVersion[]>;
}

export type RecordKinds = { readonly [E in EntityName]?: RecordKind<E> };

export type Aliases = { readonly [Id in CommandId]?: string };

/** How the palette asks a list: for few, the newest first. */
export const newest = { sort: 'createdAt', direction: 'desc', cursor: null, limit: 5 } as const;

/** Rows as commands aim at them, called as people call them. What never changes has one version. */
export const targetOf =
  <E extends EntityName>(entity: E, called: (row: Entities[E]) => string) =>
  (row: Entities[E]): Target<E> => {
    const { id, version = 1 }: { id: string; version?: number } = row;
    return { entity, id, version, name: called(row), row } as Target<E>;
  };

/** What a screen shows, as its address says it; nothing while somebody is at another. */
export const queryAt = (place: string): URLSearchParams =>
  new URLSearchParams(typeof location !== 'undefined' && location.pathname === place ? location.search : '');

/** The address of something at a screen, beside what that shows already: `/points?q=…&open=0x…`. */
export function addressBeside(place: string, name: string, value: string): string {
  const query = queryAt(place);
  query.set(name, value);
  return `${place}?${query}`;
}
