import { common } from '../frame/common.ts';
import { signInErrors as errors } from './sign-in-errors.ts';
import { login } from './login.ts';
import { shell } from '../frame/shell.ts';

/** What stands before the layout: all that the sign-in page, /404 and a failure need. */
export const zhSignIn = { common, errors, login, shell };
