import { navigate } from 'wouter/use-browser-location';
import { freezeTargets, $frame, type Target } from '../../lib/scope.ts';
import { $authorization, $codeSet, $permittedPaths, $viewAs, clearSession, flattenRoutes } from '../../lib/session/session.ts';
import { $expert } from '../../lib/prefs/prefs.ts';
import { assess, type Context, type Verdict } from '../engine/assess.ts';
import type { AnyCommand } from '../engine/define.ts';

export function leave(): void {
  clearSession();
  navigate('/login', { replace: true });
}

export const currentContext = (): Context => ({
  signedIn: $authorization.get() !== null,
  codes: $codeSet.get(),
  paths: $permittedPaths.get(),
  frame: $frame.get(),
  viewed: viewedPaths(),
  expert: $expert.get(),
});

const viewedPaths = () => {
  const viewAs = $viewAs.get();
  return viewAs && new Set(flattenRoutes(viewAs.access.permittedRoutes));
};

export const judge = (command: AnyCommand, targets: readonly Target[] = freezeTargets(), whole = false): Verdict =>
  assess(command, currentContext(), command.target.kind === 'none' ? [] : targets, whole);
