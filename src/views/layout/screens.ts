import type { ComponentType } from 'react';
import { allScreens, type MenuNode, type ScreenPath } from '../../../api/menu.ts';
import { places } from '../../commands/app/places.ts';
import { loadWords } from '../../lib/i18n/words.ts';
import { createChunk, type Chunk } from '../../lib/chunks/loader.ts';
import { views } from './views.ts';

type View = Chunk<ComponentType>;

const chunks = new Map<() => Promise<ComponentType>, View>();

/** Also loads the screen's texts. Some screens share a view. */
function viewOf(path: ScreenPath): View {
  const load = views[path];
  const view =
    chunks.get(load) ??
    createChunk(async () => (await Promise.all([load(), ...places[path].words.map((name) => loadWords(name))]))[0]);
  chunks.set(load, view);
  return view;
}

/** Groups have no view. */
export const routes: readonly { node: MenuNode; view: View }[] = allScreens()
  .filter(({ children }) => !children)
  .map((node) => ({ node, view: viewOf(node.path as ScreenPath) }));

export const routeAt = (path: string) => routes.find(({ node }) => node.path === path);

/** Ignores a failure, which navigation will report. */
export const preloadScreen = async (path: string): Promise<void> =>
  void (await routeAt(path)
    ?.view.load()
    .catch(() => {}));
