import { useLocation } from 'wouter';
import { charts } from '../../commands/statistics/charts.ts';
import { drawsImports, teamsImports } from '../../commands/imports/commands.ts';
import { registry } from '../../commands/app/registry.ts';
import { statistics as commands, statisticsPaths } from '../../commands/statistics/commands.ts';
import { ImportZone } from '../imports/shared/zone.tsx';
import type { AnyStatistics } from './description.ts';
import { StatisticsScreen } from './statistics-screen.tsx';
import { draws, teams } from './teams.tsx';
import { positionStats, vaults } from './vaults.tsx';
import { visits } from './visits.tsx';
import { walletConnections } from './wallet-connections.tsx';
import { addIcons } from '../../lib/ui/icon.tsx';
import { moreIcons } from '../../lib/ui/more-icons.ts';

addIcons(moreIcons);

registry.add(charts, commands, teamsImports, drawsImports);

const statisticsScreens = [visits, walletConnections, vaults, positionStats, teams, draws] as unknown as readonly AnyStatistics[];

/** Six screens, chosen by the path. */
export function Statistics() {
  const [path] = useLocation();
  const statistics = statisticsScreens.find(({ name }) => statisticsPaths[name] === path);
  if (!statistics) return null;
  const screen = <StatisticsScreen key={path} of={statistics} />;
  return statistics.imports ? (
    <ImportZone key={path} kind={statistics.imports}>
      {screen}
    </ImportZone>
  ) : (
    screen
  );
}
