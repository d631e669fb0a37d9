import { failure } from './platform/errors.ts';
import { on } from './platform/implement.ts';

const none = () => {
  throw failure('UNAVAILABLE');
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
