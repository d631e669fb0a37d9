import { atom } from 'nanostores';
import type { OpenFreeze } from '../../../api/custody/contract.ts';

/** The freeze that blocks money commands as this page last heard of it: null for none, undefined before it has heard. */
export const $freeze = atom<OpenFreeze | null | undefined>(undefined);

/** How many more have to sign once this person has, before a freeze is lifted. */
export const stillToSign = ({ lifting }: OpenFreeze): number =>
  lifting === null ? 0 : Math.max(0, lifting.missing - (lifting.own ? 0 : 1));
