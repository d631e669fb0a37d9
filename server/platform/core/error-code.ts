import { rootCause } from './log.ts';

/** The code of an error of PostgreSQL (five characters) or of the network (ECONNREFUSED), else null. */
export function codeOf(error: unknown): string | null {
  const root = rootCause(error);
  return root instanceof Error && 'code' in root && typeof root.code === 'string' ? root.code : null;
}
