import { atom } from 'nanostores';

/** The freeze that blocks money commands as this page last heard of it: null for none, undefined before it has heard. */
export const $freeze = atom<{ id: string; at: string } | null | undefined>(undefined);
