import type { ScreenPath } from './menu.ts';

/** What a screen's command is called behind `go.`, where that is not the last part of its path. */
const called = {
  '/': 'home',
  '/statistics/datacaptain': 'dataCaptain',
  '/statistics/data0penBox': 'dataOpenBox',
} as const satisfies { readonly [P in ScreenPath]?: string };

type LastOf<Path> = Path extends `${string}/${infer Rest}` ? LastOf<Rest> : Path & string;

/** The command that goes to a screen. */
export type GoId<P extends ScreenPath = ScreenPath> = P extends keyof typeof called
  ? `go.${(typeof called)[P]}`
  : `go.${LastOf<P>}`;

export const goIdOf = (path: ScreenPath) =>
  `go.${(called as { readonly [P in ScreenPath]?: string })[path] ?? path.slice(path.lastIndexOf('/') + 1)}` as GoId;
