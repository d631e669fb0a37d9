import { createRegistry } from '../engine/registry.ts';
import { list } from '../workspace/list.ts';
import { navigation } from './navigation.ts';
import { panel } from '../workspace/panel.ts';

/** What every screen has. A screen adds its own commands when it comes; `all.ts` brings the rest when the page is idle. */
export const registry = createRegistry(navigation, list, panel);
