import { atom } from 'nanostores';

/** Lists render all loaded rows while printing, at most `maxPrintedRows`. */
export const $isPrinting = atom(false);

/** About 40 pages. */
export const maxPrintedRows = 1000;
