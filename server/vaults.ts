import { failure } from './platform/errors.ts';
import { on } from './platform/implement.ts';

const none = () => {
  throw failure('UNAVAILABLE');
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
