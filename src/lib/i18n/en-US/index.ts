import type { PanelWords } from '../i18n.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { frame } from './frame.ts';
import { list } from './list.ts';
import { login } from './login.ts';
import { palette } from './palette.ts';
import { shell } from './shell.ts';
import { value } from './value.ts';

/** What every screen needs. A screen brings its own words with it. */
export const enPanel: PanelWords = { common, errors, list, login, palette, shell: { ...shell, ...frame }, value };
