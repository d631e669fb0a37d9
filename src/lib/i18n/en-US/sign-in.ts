import type { SignInDictionary } from '../i18n.ts';
import { common } from './common.ts';
import { signInErrors as errors } from './sign-in-errors.ts';
import { login } from './login.ts';
import { shell } from './shell.ts';

/** As in Chinese: what stands before the layout. */
export const enSignIn: SignInDictionary = { common, errors, login, shell };
