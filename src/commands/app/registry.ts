import { createRegistry } from '../engine/registry.ts';
import { list } from '../lists/list.ts';
import { navigation } from './navigation.ts';
import { panel } from '../panel/commands.ts';

/** What every screen has. A screen adds its own commands when it comes; `all.ts` brings the rest when the page is idle. */
export const registry = createRegistry(navigation, list, panel);
