import { atom } from 'nanostores';

/** Lists render all rows while printing. */
export const $isPrinting = atom(false);
