import { allNames } from '../../../api/all-names.ts';
import type { CommandId } from '../../../api/names.ts';
import { requiredPermission, type CalledRoute } from '../services/context.ts';

/** Commands named differently from their route and permission. */
const commandByRoute: Readonly<Record<string, CommandId>> = {
  'feedback.process': 'feedback.processNext',
  'account.changePassword': 'session.changePassword',
  'wallet.bindAddress': 'account.bindWallet',
  'wallet.unbindAddress': 'account.unbindWallet',
  'pointsImports.start': 'points.startImport',
  'pointsImports.cancel': 'points.cancelImport',
  'pointsImports.resume': 'points.resumeImport',
  'airdropsImports.start': 'airdrops.startImport',
  'airdropsImports.cancel': 'airdrops.cancelImport',
  'airdropsImports.resume': 'airdrops.resumeImport',
  'teamsImports.start': 'teams.startImport',
  'teamsImports.cancel': 'teams.cancelImport',
  'teamsImports.resume': 'teams.resumeImport',
  'drawsImports.start': 'draws.startImport',
  'drawsImports.cancel': 'draws.cancelImport',
  'drawsImports.resume': 'draws.resumeImport',
};

/** Accepts the client's command only if it belongs to the route, because a client could claim any. */
export function resolveReportedCommand({ name, meta }: CalledRoute, reportedId: CommandId | null): CommandId | null {
  const commandName = name.replace(/\.remove$/, '.delete');
  if (
    reportedId !== null &&
    (reportedId === commandName || reportedId === requiredPermission(meta) || reportedId === commandByRoute[name])
  )
    return reportedId;
  return commandName !== name && isCommand(commandName) ? commandName : null;
}

const isCommand = (name: string): name is CommandId => Object.hasOwn(allNames, name);
