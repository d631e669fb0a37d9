const prefix = 'panel-cli/';

/** Stored with a CLI session in place of a browser. */
export const cliUserAgent = (machine: string): string => `${prefix}${machine}`;

/** Null: a browser. */
export const machineOf = (userAgent: string): string | null =>
  userAgent.startsWith(prefix) ? userAgent.slice(prefix.length) : null;
