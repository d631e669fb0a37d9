import { atom } from 'nanostores';
import type { OpenFreeze } from '../../../api/custody/contract.ts';

/** The freeze that blocks money commands as this page last heard of it: null for none, undefined before it has heard. */
export const $freeze = atom<OpenFreeze | null | undefined>(undefined);
