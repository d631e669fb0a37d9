import { names, type CommandId, type Name } from './names.ts';
import { accessNames } from './names-access.ts';
import { crsmNames } from './names-crsm.ts';
import { contentNames } from './names-content.ts';
import { depositNames } from './names-deposits.ts';
import { dataPanelNames } from './names-data-panel.ts';
import { statisticsNames } from './names-statistics.ts';
import { panelNames } from './names-panel.ts';
import { withdrawalNames } from './names-withdrawals.ts';

/** The name of every command. The permission tree is seeded from it. */
export const allNames: Readonly<Record<CommandId, Name>> = {
  ...names,
  ...accessNames,
  ...contentNames,
  ...depositNames,
  ...dataPanelNames,
  ...withdrawalNames,
  ...crsmNames,
  ...statisticsNames,
  ...panelNames,
};
