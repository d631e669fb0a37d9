import { navigate } from 'wouter/use-browser-location';
import { snapshotTargets, $viewContext, type Target } from '../../lib/scope.ts';
import { $authorization, $codeSet, $permittedPaths, $viewAs, clearSession, flattenRoutes } from '../../lib/session/session.ts';
import { $expert } from '../../lib/prefs/prefs.ts';
import { assess, type CommandContext, type Assessment } from '../engine/assess.ts';
import type { AnyCommand } from '../engine/define.ts';

export function signOutLocally(): void {
  clearSession();
  navigate('/login', { replace: true });
}

export const getCurrentContext = (): CommandContext => ({
  signedIn: $authorization.get() !== null,
  codes: $codeSet.get(),
  paths: $permittedPaths.get(),
  viewContext: $viewContext.get(),
  viewed: getViewedPaths(),
  expert: $expert.get(),
});

const getViewedPaths = () => {
  const viewAs = $viewAs.get();
  return viewAs && new Set(flattenRoutes(viewAs.access.permittedRoutes));
};

export const assessCommand = (
  command: AnyCommand,
  targets: readonly Target[] = snapshotTargets(),
  isWholeList = false,
): Assessment => assess(command, getCurrentContext(), command.target.kind === 'none' ? [] : targets, isWholeList);
