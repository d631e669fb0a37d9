import { goCommandId } from '../../../api/go-command-ids.ts';
import { listScreens, type ScreenPath } from '../../../api/menu.ts';
import { defineCommand, noTarget } from '../engine/define.ts';
import { screensByPath } from './screens.ts';

function goTo(path: ScreenPath) {
  const { icon, keys } = screensByPath[path];
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

export const navigation = listScreens()
  .filter(({ children }) => !children)
  .map((node) => goTo(node.path as ScreenPath));
