import { rootCause } from './log.ts';

/** A PostgreSQL code (five characters) or a network code (ECONNREFUSED). */
export function codeOf(error: unknown): string | null {
  const root = rootCause(error);
  return root instanceof Error && 'code' in root && typeof root.code === 'string' ? root.code : null;
}
