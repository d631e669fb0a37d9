/** `role:<id>` or `administrator:<id>`. The server then answers reads with the viewed permissions and refuses every write. */
export const viewAsHeader = 'x-view-as';

export type ViewKind = 'role' | 'administrator';
