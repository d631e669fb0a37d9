import { atom, type ReadableAtom } from 'nanostores';
import type { AnyCommand } from './define.ts';

/** The commands known so far. A screen brings its own with it; the others come when the page is idle. */
export interface Registry {
  readonly all: readonly AnyCommand[];
  readonly $all: ReadableAtom<readonly AnyCommand[]>;
  get(id: string): AnyCommand | undefined;
  /** Ignores duplicates. Two commands with one id throw. */
  add(...lists: readonly (readonly AnyCommand[])[]): void;
}

export function createRegistry(...lists: readonly (readonly AnyCommand[])[]): Registry {
  const byId = new Map<string, AnyCommand>();
  const $all = atom<readonly AnyCommand[]>([]);
  const registry: Registry = {
    get all() {
      return $all.get();
    },
    $all,
    get: (id) => byId.get(id),
    add(...lists) {
      const previousSize = byId.size;
      for (const command of lists.flat()) {
        const registered = byId.get(command.id);
        if (registered && registered !== command) throw new Error(`two commands have the ID ${command.id}`);
        byId.set(command.id, command);
      }
      if (byId.size > previousSize) $all.set([...byId.values()]);
    },
  };
  registry.add(...lists);
  return registry;
}
