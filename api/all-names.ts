// Made by npm run lists from the folders of the features: not by hand.
import type { MenuPath } from './menu.ts';
import { names } from './first-names.ts';
import type { Name } from './naming.ts';
import { newsNames, newsFunctions } from './news/names.ts';
import { feedbackNames, feedbackFunctions } from './feedback/names.ts';
import { statisticsNames, statisticsFunctions } from './statistics/names.ts';
import { noticeNames, noticeFunctions } from './notices/names.ts';
import { rewardNames, rewardFunctions } from './rewards/names.ts';
import { accessNames, accessFunctions } from './access/names.ts';
import { dataPanelNames, dataPanelFunctions } from './custody/names.ts';
import { depositNames, depositFunctions } from './deposits/names.ts';
import { withdrawalNames, withdrawalFunctions } from './withdrawals/names.ts';
import { authorityNames, authorityFunctions } from './authority/names.ts';
import { crsmNames, crsmFunctions } from './crsm/names.ts';
import { auditNames, auditFunctions } from './audit/names.ts';
import { accountNames } from './account/names.ts';
import { panelNames } from './panel/names.ts';
import { listNames } from './lists/names.ts';
import { viewNames } from './saved-views/names.ts';
import { macroNames } from './macros/names.ts';
import { qaNames } from './qa/names.ts';
import { shortcutNames } from './shortcuts/names.ts';
import { cliNames } from './cli/names.ts';
import { exportNames } from './exports/names.ts';
import { helpNames } from './help/names.ts';

/** The permission tree is seeded from these names. */
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
  ...authorityNames,
  ...crsmNames,
  ...auditNames,
  ...accountNames,
  ...panelNames,
  ...listNames,
  ...viewNames,
  ...macroNames,
  ...qaNames,
  ...shortcutNames,
  ...cliNames,
  ...exportNames,
  ...helpNames,
} as const satisfies Record<string, Name>;

/** Commands with their own permission, by screen. */
export const functions = {
  ...newsFunctions,
  ...feedbackFunctions,
  ...statisticsFunctions,
  ...noticeFunctions,
  ...rewardFunctions,
  ...accessFunctions,
  ...dataPanelFunctions,
  ...depositFunctions,
  ...withdrawalFunctions,
  ...authorityFunctions,
  ...crsmFunctions,
  ...auditFunctions,
} as const satisfies { readonly [P in MenuPath]?: readonly (keyof typeof allNames)[] };
