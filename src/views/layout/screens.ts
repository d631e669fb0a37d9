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

const screens = new Map(
  allScreens()
    .filter(({ children }) => !children)
    .map((node): [string, { node: MenuNode; view: View }] => [node.path, { node, view: viewOf(node.path as ScreenPath) }]),
);

/** The screen at a path: its place in the menu and its view. Null for groups and unknown paths. */
export const screenAt = (path: string) => screens.get(path) ?? null;

/** Asks for a screen's file before it is gone to. A failure is told when the person gets there. */
export const preloadScreen = async (path: string): Promise<void> =>
  void (await screens
    .get(path)
    ?.view.load()
    .catch(() => {}));
