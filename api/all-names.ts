import { names, type CommandId, type Name } from './names.ts';
import { accessNames } from './names-access.ts';
import { batchNames } from './names-batch.ts';
import { crsmNames } from './names-crsm.ts';
import { qaNames } from './names-qa.ts';
import { contentNames } from './names-content.ts';
import { depositNames } from './names-deposits.ts';
import { historyNames } from './names-history.ts';
import { dataPanelNames } from './names-data-panel.ts';
import { keysNames } from './names-keys.ts';
import { statisticsNames } from './names-statistics.ts';
import { panelNames } from './names-panel.ts';
import { withdrawalNames } from './names-withdrawals.ts';

/** The name of every command. The permission tree is seeded from it. */
export const allNames: Readonly<Record<CommandId, Name>> = {
  ...names,
  ...accessNames,
  ...batchNames,
  ...contentNames,
  ...depositNames,
  ...dataPanelNames,
  ...withdrawalNames,
  ...crsmNames,
  ...historyNames,
  ...statisticsNames,
  ...keysNames,
  ...qaNames,
  ...panelNames,
};
