import { statisticsNames } from '../../../api/statistics/names.ts';
import type { ExportFormat } from '../../../api/base.ts';
import type { Api } from '../../lib/net/client.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { Target } from '../../lib/scope.ts';
import { statisticsShapes } from './filters.ts';
import { defineCommand, oneTarget, copyCommand, firstOf, blockedBecause } from '../engine/define.ts';
import { explorerCommands } from '../engine/explorer-commands.ts';
import { currentQueryOf, exportCommand, saveExport } from '../engine/export.ts';
import { addressBeside, targetOf } from '../engine/resource.ts';
import { formatTime } from '../../lib/format.ts';

addNames(statisticsNames);

export const visitTarget = targetOf('visits', ({ page, at }) => `${page} · ${formatTime(at)}`);
export const walletConnectionTarget = targetOf('walletConnections', ({ address }) => address);
export const vaultTarget = targetOf('vaults', ({ vaultId, owner }) => `#${vaultId} · ${owner}`);
export const positionStatTarget = targetOf('positionStats', ({ positionId, address }) => `#${positionId} · ${address}`);
export const teamTarget = targetOf('teams', ({ captain }) => captain);
export const drawTarget = targetOf('draws', ({ captain, time }) => `${captain} · ${formatTime(time)}`);

export type StatisticsName = keyof typeof statisticsShapes;

export const statisticsPaths = {
  visits: '/statistics/dataView',
  walletConnections: '/statistics/dataWallet',
  vaults: '/statistics/dataVault',
  positionStats: '/statistics/dataCdp',
  teams: '/statistics/datacaptain',
  draws: '/statistics/data0penBox',
} as const satisfies Record<StatisticsName, string>;

/** Null: the visitor is unknown. */
export function statisticsAddress(target: Target): string | null {
  const { entity } = target;
  if (entity === 'visits' || entity === 'walletConnections' || entity === 'positionStats') return target.row.address;
  if (entity === 'teams' || entity === 'draws') return target.row.captain;
  return entity === 'vaults' ? target.row.owner : null;
}

/** Asks for the export of what the screen shows. */
const exporters: Readonly<Record<StatisticsName, (api: Api, format: ExportFormat) => ReturnType<Api['points']['export']>>> = {
  visits: (api, format) => api.visits.export({ ...currentQueryOf(statisticsPaths.visits, statisticsShapes.visits), format }),
  walletConnections: (api, format) =>
    api.walletConnections.export({
      ...currentQueryOf(statisticsPaths.walletConnections, statisticsShapes.walletConnections),
      format,
    }),
  vaults: (api, format) => api.vaults.export({ ...currentQueryOf(statisticsPaths.vaults, statisticsShapes.vaults), format }),
  positionStats: (api, format) =>
    api.positionStats.export({ ...currentQueryOf(statisticsPaths.positionStats, statisticsShapes.positionStats), format }),
  teams: (api, format) => api.teams.export({ ...currentQueryOf(statisticsPaths.teams, statisticsShapes.teams), format }),
  draws: (api, format) => api.draws.export({ ...currentQueryOf(statisticsPaths.draws, statisticsShapes.draws), format }),
};

const rowAddress = (name: StatisticsName, id: string): string => addressBeside(statisticsPaths[name], 'open', id);

const buildCommands = (name: StatisticsName) => {
  const screenPath = statisticsPaths[name];
  return [
    defineCommand({
      ...exportCommand,
      id: `${name}.export`,
      permission: `${name}.export`,
      place: screenPath,
      run: ({ api, params: { format } }) => saveExport(() => exporters[name](api, format)),
    }),
    defineCommand({
      id: `${name}.open`,
      permission: screenPath,
      icon: 'book-open',
      place: screenPath,
      target: oneTarget(name),
      params: null,
      danger: 'none',
      excludeFromHistory: true,
      run: ({ ui, targets: [target] }) => {
        if (target) ui.navigate(rowAddress(name, target.id));
      },
    }),
    defineCommand({
      ...copyCommand,
      id: `${name}.copyAddress`,
      permission: screenPath,
      place: screenPath,
      target: oneTarget(name),
      when: ({ targets }) =>
        targets.every((target) => statisticsAddress(target) !== null) || blockedBecause('statistics.blocked.noAddress'),
      run: ({ ui, targets }) => ui.copy(statisticsAddress(firstOf(targets)) ?? ''),
    }),
    explorerCommands(`${name}.explore`, name, screenPath, (target) => {
      const address = statisticsAddress(target);
      return address === null ? null : evmExplorerTarget.address(address);
    }),
  ];
};

export const statistics = (Object.keys(statisticsPaths) as StatisticsName[]).flatMap(buildCommands);
