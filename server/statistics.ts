import { failure } from './platform/errors.ts';
import { on } from './platform/implement.ts';

const none = () => {
  throw failure('UNAVAILABLE');
};

export const visits = {
  list: on.visits.list.handler(none),
  many: on.visits.many.handler(none),
  totals: on.visits.totals.handler(none),
  series: on.visits.series.handler(none),
  top: on.visits.top.handler(none),
  bars: on.visits.bars.handler(none),
  export: on.visits.export.handler(none),
};

export const walletConnections = {
  list: on.walletConnections.list.handler(none),
  many: on.walletConnections.many.handler(none),
  totals: on.walletConnections.totals.handler(none),
  series: on.walletConnections.series.handler(none),
  top: on.walletConnections.top.handler(none),
  bars: on.walletConnections.bars.handler(none),
  export: on.walletConnections.export.handler(none),
};

export const vaults = {
  list: on.vaults.list.handler(none),
  many: on.vaults.many.handler(none),
  totals: on.vaults.totals.handler(none),
  series: on.vaults.series.handler(none),
  top: on.vaults.top.handler(none),
  bars: on.vaults.bars.handler(none),
  export: on.vaults.export.handler(none),
  follower: on.vaults.follower.handler(none),
};

export const positionStats = {
  list: on.positionStats.list.handler(none),
  many: on.positionStats.many.handler(none),
  totals: on.positionStats.totals.handler(none),
  series: on.positionStats.series.handler(none),
  top: on.positionStats.top.handler(none),
  bars: on.positionStats.bars.handler(none),
  export: on.positionStats.export.handler(none),
  follower: on.positionStats.follower.handler(none),
};

export const teams = {
  list: on.teams.list.handler(none),
  many: on.teams.many.handler(none),
  totals: on.teams.totals.handler(none),
  series: on.teams.series.handler(none),
  top: on.teams.top.handler(none),
  bars: on.teams.bars.handler(none),
  export: on.teams.export.handler(none),
};

export const draws = {
  list: on.draws.list.handler(none),
  many: on.draws.many.handler(none),
  totals: on.draws.totals.handler(none),
  series: on.draws.series.handler(none),
  top: on.draws.top.handler(none),
  bars: on.draws.bars.handler(none),
  export: on.draws.export.handler(none),
};

export const overview = {
  now: on.overview.now.handler(none),
  list: on.overview.list.handler(none),
  series: on.overview.series.handler(none),
  export: on.overview.export.handler(none),
};
