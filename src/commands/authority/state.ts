import { atom } from 'nanostores';
import type { AuthoritySummary } from '../../../api/authority/contract.ts';

/** As last loaded. Null: not loaded yet. */
export const $authority = atom<AuthoritySummary | null>(null);
