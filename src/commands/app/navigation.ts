import { goCommandId } from '../../../api/go-commands.ts';
import { allScreens, type ScreenPath } from '../../../api/menu.ts';
import { defineCommand, noTarget } from '../engine/define.ts';
import { places } from './places.ts';

function goTo(path: ScreenPath) {
  const { icon, keys } = places[path];
  return defineCommand({
    id: goCommandId(path),
    permission: path,
    icon,
    place: 'global',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    ...(keys ? { keys: [keys] } : {}),
    run: ({ ui }) => ui.navigate(path),
  });
}

export const navigation = allScreens()
  .filter(({ children }) => !children)
  .map((node) => goTo(node.path as ScreenPath));
