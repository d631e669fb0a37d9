import { atom } from 'nanostores';
import type { OpenFreeze } from '../../../../api/custody/contract.ts';

/** Null: no freeze. Undefined: not loaded yet. */
export const $freeze = atom<OpenFreeze | null | undefined>(undefined);

/** Signatures that are missing after this person's. */
export function missingLiftSignatures({ lifting }: OpenFreeze): number {
  if (lifting === null || lifting.missing === 0) return 0;
  return lifting.own ? lifting.missing : lifting.missing - 1;
}
