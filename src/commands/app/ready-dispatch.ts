import type { Dispatch } from '../engine/dispatch/interface.ts';

/** The dispatcher, once it has loaded. It comes after the first paint. */
let ready: Dispatch | null = null;

export const provideDispatch = (dispatch: Dispatch): void => void (ready = dispatch);
export const readyDispatch = (): Dispatch | null => ready;
