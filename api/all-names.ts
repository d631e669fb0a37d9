import { names, type CommandId, type Name } from './names.ts';
import { accessNames } from './access/names.ts';
import { batchNames } from './names-batch.ts';
import { crsmNames } from './crsm/names.ts';
import { qaNames } from './names-qa.ts';
import { contentNames } from './names-content.ts';
import { depositNames } from './deposits/names.ts';
import { historyNames } from './names-history.ts';
import { dataPanelNames } from './custody/names.ts';
import { keysNames } from './names-keys.ts';
import { statisticsNames } from './statistics/names.ts';
import { panelNames } from './names-panel.ts';
import { withdrawalNames } from './withdrawals/names.ts';

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
