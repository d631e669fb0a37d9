import type { Dispatch } from '../engine/dispatch/interface.ts';

/** Loaded after the first paint. */
let loadedDispatch: Dispatch | null = null;

export const provideDispatch = (dispatch: Dispatch): void => void (loadedDispatch = dispatch);
export const getLoadedDispatch = (): Dispatch | null => loadedDispatch;
