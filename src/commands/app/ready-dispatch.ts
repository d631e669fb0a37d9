import type { Dispatch } from '../engine/dispatch/interface.ts';

/** Loaded after the first paint. */
let ready: Dispatch | null = null;

export const provideDispatch = (dispatch: Dispatch): void => void (ready = dispatch);
export const readyDispatch = (): Dispatch | null => ready;
