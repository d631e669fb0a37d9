import type { ComponentType } from 'react';
import { listScreens, type MenuNode, type ScreenPath } from '../../../api/menu.ts';
import { screensByPath } from '../../commands/app/screens.ts';
import { loadWords } from '../../lib/i18n/words.ts';
import { createChunk, type Chunk } from '../../lib/chunks/loader.ts';
import { views } from './views.ts';

type ViewChunk = Chunk<ComponentType>;

const chunks = new Map<() => Promise<ComponentType>, ViewChunk>();

/** Also loads the screen's texts. Some screens share a view. */
function viewOf(path: ScreenPath): ViewChunk {
  const loadView = views[path];
  const view =
    chunks.get(loadView) ??
    createChunk(async () => (await Promise.all([loadView(), ...screensByPath[path].words.map((name) => loadWords(name))]))[0]);
  chunks.set(loadView, view);
  return view;
}

/** Groups have no view. */
export const routes: readonly { node: MenuNode; view: ViewChunk }[] = listScreens()
  .filter(({ children }) => !children)
  .map((node) => ({ node, view: viewOf(node.path as ScreenPath) }));

export const routeAt = (path: string) => routes.find(({ node }) => node.path === path);

/** Ignores a failure, which navigation will report. */
export const preloadScreen = async (path: string): Promise<void> =>
  void (await routeAt(path)
    ?.view.load()
    .catch(() => {}));
