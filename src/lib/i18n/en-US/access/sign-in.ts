import type { SignInDictionary } from '../../i18n.ts';
import { common } from '../frame/common.ts';
import { signInErrors as errors } from './sign-in-errors.ts';
import { login } from './login.ts';
import { shell } from '../frame/shell.ts';

export const enSignIn: SignInDictionary = { common, errors, login, shell };
