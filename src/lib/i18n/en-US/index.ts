import type { PanelDictionary } from '../i18n.ts';
import { enSignIn } from './access/sign-in.ts';
import { frame } from './frame/frame.ts';
import { list } from './frame/list.ts';
import { palette } from './panel/palette.ts';
import { value } from './frame/value.ts';

export { screenWords } from './screen-words.ts';

/** Texts of every screen. Other texts load with their screen. */
export const enPanel: PanelDictionary = {
  common: enSignIn.common,
  list,
  login: enSignIn.login,
  palette,
  shell: { ...enSignIn.shell, ...frame },
  value,
};
