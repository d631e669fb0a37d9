import { createContext } from 'react';

/** True: the list is as high as its rows, and the screen scrolls instead of the list. */
export const WholeList = createContext(false);
