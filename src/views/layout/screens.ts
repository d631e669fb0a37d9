import type { ComponentType } from 'react';
import { allScreens, type MenuNode, type ScreenPath } from '../../../api/menu.ts';
import { places } from '../../commands/app/places.ts';
import { loadWords } from '../../lib/i18n/words.ts';
import { chunk, type Chunk } from '../../lib/chunks/loader.ts';
import { views } from './views.ts';

type View = Chunk<ComponentType>;

const chunks = new Map<() => Promise<ComponentType>, View>();

/** A screen's component, with the words that it needs beside the layout's. Screens of one file are one view. */
function viewOf(path: ScreenPath): View {
  const load = views[path];
  const view =
    chunks.get(load) ?? chunk(async () => (await Promise.all([load(), ...places[path].words.map((name) => loadWords(name))]))[0]);
  chunks.set(load, view);
  return view;
}

/** The screens inside the layout: their place in the menu and their view. Groups have none. */
export const routes: readonly { node: MenuNode; view: View }[] = allScreens()
  .filter(({ children }) => !children)
  .map((node) => ({ node, view: viewOf(node.path as ScreenPath) }));

export const routeAt = (path: string) => routes.find(({ node }) => node.path === path);

/** Asks for a screen's file before it is gone to. A failure is told when the person gets there. */
export const preloadScreen = async (path: string): Promise<void> =>
  void (await routeAt(path)
    ?.view.load()
    .catch(() => {}));
