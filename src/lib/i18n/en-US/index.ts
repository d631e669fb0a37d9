import type { PanelDictionary } from '../i18n.ts';
import { common } from './frame/common.ts';
import { errors } from './frame/errors.ts';
import { frame } from './frame/frame.ts';
import { list } from './frame/list.ts';
import { login } from './access/login.ts';
import { palette } from './panel/palette.ts';
import { shell } from './frame/shell.ts';
import { value } from './frame/value.ts';

/** Texts of every screen. Other texts load with their screen. */
export const enPanel: PanelDictionary = { common, errors, list, login, palette, shell: { ...shell, ...frame }, value };
