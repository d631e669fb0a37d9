import { atom } from 'nanostores';
import type { OpenFreeze } from '../../../../api/custody/contract.ts';

/** The freeze that blocks money commands as this page last heard of it: null for none, undefined before it has heard. */
export const $freeze = atom<OpenFreeze | null | undefined>(undefined);

/** How many more have to sign once this person has, before a freeze is lifted. */
export function stillToSign({ lifting }: OpenFreeze): number {
  if (lifting === null || lifting.missing === 0) return 0;
  return lifting.own ? lifting.missing : lifting.missing - 1;
}
