import { common } from '../frame/common.ts';
import { signInErrors as errors } from './sign-in-errors.ts';
import { login } from './login.ts';
import { shell } from '../frame/shell.ts';

/** Texts loaded before the layout: sign-in, /404 and failures. */
export const zhSignIn = { common, errors, login, shell };
