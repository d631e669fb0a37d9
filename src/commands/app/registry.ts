import { createRegistry } from '../engine/registry.ts';
import { listCommands } from '../lists/list.ts';
import { navigation } from './navigation.ts';
import { panel } from '../panel/commands.ts';

/** A screen adds its own commands when it loads. `all.ts` adds the rest when the page is idle. */
export const registry = createRegistry(navigation, listCommands, panel);
