import type { ScreenPath } from './menu.ts';

const nameByPath = {
  '/': 'home',
  '/statistics/datacaptain': 'dataCaptain',
  '/statistics/data0penBox': 'dataOpenBox',
} as const satisfies { readonly [P in ScreenPath]?: string };

type LastSegmentOf<Path> = Path extends `${string}/${infer Rest}` ? LastSegmentOf<Rest> : Path & string;

export type GoId<P extends ScreenPath = ScreenPath> = P extends keyof typeof nameByPath
  ? `go.${(typeof nameByPath)[P]}`
  : `go.${LastSegmentOf<P>}`;

export const goCommandId = (path: ScreenPath) =>
  `go.${(nameByPath as { readonly [P in ScreenPath]?: string })[path] ?? path.slice(path.lastIndexOf('/') + 1)}` as GoId;
