import { atom } from 'nanostores';
import type { AuthoritySummary } from '../../../api/authority/contract.ts';

/** The log as this page last heard of it; null before it has. */
export const $authority = atom<AuthoritySummary | null>(null);
