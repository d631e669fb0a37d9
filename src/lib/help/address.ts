/** Needs no permission. Pages are `/help/news#add`, and the page of a screen is also `/help/<path of the screen>`. */
export const helpPath = '/help';

export const isHelpPath = (path: string): boolean => path === helpPath || path.startsWith(`${helpPath}/`);

/** The help of what is on screen. */
export const helpPathOf = (path: string): string => (path === '/' || isHelpPath(path) ? helpPath : `${helpPath}${path}`);
