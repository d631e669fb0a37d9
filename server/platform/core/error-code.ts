import { findRootCause } from './log.ts';

/** A PostgreSQL code (five characters) or a network code (ECONNREFUSED). */
export function getDatabaseErrorCode(error: unknown): string | null {
  const cause = findRootCause(error);
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
}
