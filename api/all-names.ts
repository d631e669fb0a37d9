import { names, type Name } from './names.ts';
import { accessNames } from './access/names.ts';
import { crsmNames } from './crsm/names.ts';
import { dataPanelNames } from './custody/names.ts';
import { depositNames } from './deposits/names.ts';
import { feedbackNames } from './feedback/names.ts';
import { newsNames } from './news/names.ts';
import { noticeNames } from './notices/names.ts';
import { rewardNames } from './rewards/names.ts';
import { statisticsNames } from './statistics/names.ts';
import { withdrawalNames } from './withdrawals/names.ts';
import { workspaceNames } from './workspace/names.ts';

/** The name of every command. The permission tree is seeded from it. */
export const allNames = {
  ...names,
  ...newsNames,
  ...feedbackNames,
  ...statisticsNames,
  ...noticeNames,
  ...rewardNames,
  ...accessNames,
  ...dataPanelNames,
  ...depositNames,
  ...withdrawalNames,
  ...crsmNames,
  ...workspaceNames,
} as const satisfies Record<string, Name>;
