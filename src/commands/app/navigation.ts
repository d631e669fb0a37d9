import { allScreens, type RoutePath } from '../../../api/menu.ts';
import { defineCommand, none } from '../engine/define.ts';
import type { Screen } from '../engine/resource.ts';
import { places } from './resources.ts';

/** Goes to a screen: whoever may open it may run this. */
const goTo = (path: RoutePath, { go, icon, keys }: Screen) =>
  defineCommand({
    id: go,
    permission: path,
    icon,
    place: 'global',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    ...(keys ? { keys: [keys] } : {}),
    run: ({ ui }) => ui.navigate(path),
  });

/** In the order of the menu. */
export const navigation = allScreens().flatMap(({ path }) => {
  const place = places[path as RoutePath];
  return 'go' in place ? [goTo(path as RoutePath, place)] : [];
});
