/** What a write names a record by: its id, and the version that was seen. */
export interface Seen {
  id: string;
  version: number;
}

export const itemOf = ({ id, version }: Seen): Seen => ({ id, version });
export const versioned = (rows: readonly Seen[]): Seen[] => rows.map(itemOf);

/** The one record a command runs on. */
export function only<T>([target]: readonly T[]): T {
  if (target === undefined) throw new Error('this runs on one record');
  return target;
}
