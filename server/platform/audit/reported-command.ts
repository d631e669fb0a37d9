import { allNames } from '../../../api/all-names.ts';
import type { CommandId } from '../../../api/names.ts';
import { permissionOf, type CalledRoute } from '../services/context.ts';

/** Commands named differently from their route and permission. */
const commandsOf: Readonly<Record<string, CommandId>> = {
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
export function reportedCommand({ name, meta }: CalledRoute, reported: CommandId | null): CommandId | null {
  const normalized = name.replace(/\.remove$/, '.delete');
  if (reported !== null && (reported === normalized || reported === permissionOf(meta) || reported === commandsOf[name]))
    return reported;
  return normalized !== name && isCommand(normalized) ? normalized : null;
}

const isCommand = (name: string): name is CommandId => Object.hasOwn(allNames, name);
