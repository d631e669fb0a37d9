import type { OwnSession, Passkey } from '../../../api/account/contract.ts';
import type { AdministratorRow } from '../../../api/access/administrators.ts';
import type { AuditRow } from '../../../api/audit/contract.ts';
import type { RecordedRow, RecordedVersion } from '../../../api/history.ts';
import type { Permission } from '../../../api/names.ts';
import type { NodeRow } from '../../../api/access/permissions.ts';
import type { RoleRow } from '../../../api/access/roles.ts';
import { inLocale } from '../../lib/i18n/i18n.ts';
import type { RoutePath } from '../../../api/menu.ts';
import type { Api } from '../../lib/net/client.ts';
import { formatTime } from '../../lib/format.ts';
import { browserOf } from '../../lib/user-agent.ts';
import type { Target } from '../../lib/scope.ts';
import type { AnyCommand } from '../engine/define.ts';
import { depositTarget, mintRuleTarget } from '../deposits/target.ts';
import { crsmTarget, positionTarget } from '../crsm/target.ts';
import { institutionTarget } from '../custody/target.ts';
import { feedbackTarget } from '../feedback/target.ts';
import { importTarget } from '../imports/target.ts';
import { newsTarget } from '../news/target.ts';
import { airdropTarget, balanceTarget, pointsTarget } from '../rewards/targets.ts';
import { noticeTarget } from '../notices/target.ts';
import {
  drawTarget,
  positionStatTarget,
  teamTarget,
  vaultTarget,
  visitTarget,
  walletConnectionTarget,
} from '../statistics/target.ts';
import { withdrawalTarget } from '../withdrawals/target.ts';
import type { Loaders } from '../engine/dispatch.ts';

export const administratorTarget = (row: AdministratorRow): Target<'administrators'> => ({
  entity: 'administrators',
  id: row.id,
  version: row.version,
  name: row.email,
  row,
});

export const auditTarget = (row: AuditRow): Target<'audit'> => ({
  entity: 'audit',
  id: row.id,
  version: 1,
  name: `${row.command ?? row.route} ${formatTime(row.at)}`,
  row,
});

/** A recorded state; its version is the one the record has now. */
export const versionTarget = (row: RecordedVersion): Target<'version'> => ({
  entity: 'version',
  id: `${row.entity}:${row.id}`,
  version: typeof row.current?.['version'] === 'number' ? row.current['version'] : 0,
  name: `${nameIn(row.record) ?? row.recordId} · ${formatTime(row.at)}`,
  row,
});

/** What people call the record, as far as its fields tell. */
const nameIn = ({ title, email, content, address }: RecordedRow) =>
  [title, email, content, address].find((name) => typeof name === 'string');

/** Where the recorded states of a kind of record are read, and the command that brings one back. */
export interface Restorable {
  command: Permission;
  menu: RoutePath;
  read: (api: Api, ids: string[], signal?: AbortSignal) => Promise<RecordedVersion[]>;
  commands: () => Promise<readonly AnyCommand[]>;
}

/** By the word the audit has for the record. A resource whose records can be restored adds its line. */
export const restorable: Readonly<Record<string, Restorable>> = {
  airdrop: {
    command: 'airdrops.restore',
    menu: '/NFTAirdrop',
    read: (api, ids, signal) => api.airdrops.versions({ ids }, signal ? { signal } : {}),
    commands: async () => (await import('../rewards/airdrops.ts')).airdrops,
  },
  feedback: {
    command: 'feedback.restore',
    menu: '/feedback',
    read: (api, ids, signal) => api.feedback.versions({ ids }, signal ? { signal } : {}),
    commands: async () => (await import('../feedback/commands.ts')).feedback,
  },
  news: {
    command: 'news.restore',
    menu: '/news',
    read: (api, ids, signal) => api.news.versions({ ids }, signal ? { signal } : {}),
    commands: async () => (await import('../news/commands.ts')).news,
  },
  notice: {
    command: 'notices.restore',
    menu: '/notices',
    read: (api, ids, signal) => api.notices.versions({ ids }, signal ? { signal } : {}),
    commands: async () => (await import('../notices/commands.ts')).notices,
  },
};

async function readVersions(api: Api, ids: readonly string[]): Promise<Target<'version'>[]> {
  const found = await Promise.all(
    Object.entries(restorable).map(async ([entity, { read }]) => {
      const own = ids.filter((id) => id.startsWith(`${entity}:`)).map((id) => id.slice(entity.length + 1));
      return own.length > 0 ? read(api, own) : [];
    }),
  );
  return found.flat().map(versionTarget);
}

/** A session of one's own; what stands in it never changes, so it has one version. */
export const ownSessionTarget = (row: OwnSession): Target<'ownSessions'> => ({
  entity: 'ownSessions',
  id: row.id,
  version: 1,
  name: browserOf(row.userAgent),
  row,
});

export const passkeyTarget = (row: Passkey): Target<'passkeys'> => ({
  entity: 'passkeys',
  id: row.id,
  version: 1,
  name: row.name,
  row,
});

export const nodeTarget = (row: NodeRow): Target<'permissions'> => ({
  entity: 'permissions',
  id: row.id,
  version: row.version,
  name: inLocale(row),
  row,
});

export const roleTarget = (row: RoleRow): Target<'roles'> => ({
  entity: 'roles',
  id: row.id,
  version: row.version,
  name: row.name,
  row,
});

/** How the records an invocation names are read again. */
export const loaders: Loaders = {
  airdropsImports: async (api, ids) => (await api.airdropsImports.many({ ids: [...ids] })).map(importTarget('airdrops')),
  administrators: async (api, ids) => (await api.administrators.many({ ids: [...ids] })).map(administratorTarget),
  airdrops: async (api, ids) => (await api.airdrops.many({ ids: [...ids] })).map(airdropTarget),
  drawsImports: async (api, ids) => (await api.drawsImports.many({ ids: [...ids] })).map(importTarget('draws')),
  balances: async (api, ids) => (await api.points.balancesOf({ addresses: [...ids] })).map(balanceTarget),
  points: async (api, ids) => (await api.points.many({ ids: [...ids] })).map(pointsTarget),
  audit: async (api, ids) => (await api.audit.many({ ids: [...ids] })).map(auditTarget),
  institutions: async (api, ids) => (await api.dataPanel.many({ addresses: [...ids] })).map(institutionTarget),
  permissions: async (api, ids) => (await api.permissions.many({ ids: [...ids] })).map(nodeTarget),
  roles: async (api, ids) => (await api.roles.many({ ids: [...ids] })).map(roleTarget),
  mintRules: async (api, ids) => (await api.deposits.policies()).rules.filter(({ id }) => ids.includes(id)).map(mintRuleTarget),
  deposits: async (api, ids) => (await api.deposits.many({ ids: [...ids] })).map(depositTarget),
  feedback: async (api, ids) => (await api.feedback.many({ ids: [...ids] })).map(feedbackTarget),
  news: async (api, ids) => (await api.news.many({ ids: [...ids] })).map(newsTarget),
  notices: async (api, ids) => (await api.notices.many({ ids: [...ids] })).map(noticeTarget),
  crsms: async (api, ids) => (await api.crsm.many({ ids: [...ids] })).map(crsmTarget),
  positions: async (api, ids) => (await api.crsm.manyPositions({ ids: [...ids] })).map(positionTarget),
  ownSessions: async (api, ids) => (await api.account.get()).sessions.filter(({ id }) => ids.includes(id)).map(ownSessionTarget),
  passkeys: async (api, ids) => (await api.account.get()).passkeys.filter(({ id }) => ids.includes(id)).map(passkeyTarget),
  pointsImports: async (api, ids) => (await api.pointsImports.many({ ids: [...ids] })).map(importTarget('points')),
  teamsImports: async (api, ids) => (await api.teamsImports.many({ ids: [...ids] })).map(importTarget('teams')),
  draws: async (api, ids) => (await api.draws.many({ ids: [...ids] })).map(drawTarget),
  positionStats: async (api, ids) => (await api.positionStats.many({ ids: [...ids] })).map(positionStatTarget),
  teams: async (api, ids) => (await api.teams.many({ ids: [...ids] })).map(teamTarget),
  vaults: async (api, ids) => (await api.vaults.many({ ids: [...ids] })).map(vaultTarget),
  visits: async (api, ids) => (await api.visits.many({ ids: [...ids] })).map(visitTarget),
  walletConnections: async (api, ids) => (await api.walletConnections.many({ ids: [...ids] })).map(walletConnectionTarget),
  version: readVersions,
  withdrawals: async (api, ids) => (await api.withdrawals.many({ ids: [...ids] })).map(withdrawalTarget),
};
