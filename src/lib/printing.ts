import { atom } from 'nanostores';

/** While the page is put on paper: lists draw all they have. */
export const $printing = atom(false);
