import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readAuditKey } from '../platform/audit/heads.ts';
import { findingText, type AuditVerdict } from '../platform/audit/verify.ts';
import type { Config } from '../platform/core/config.ts';

/** The configured key or that in the data folder. Creates none. */
export function ownKeys(config: Config): KeyObject[] {
  if (config.auditKeyFile === null && !existsSync(`${config.dataDir}/audit-key.pem`)) return [];
  return [createPublicKey(readAuditKey(config))];
}

export function formatVerdict({ rows, heads, problems, notes }: AuditVerdict, signedBy: string, listed = 100): void {
  for (const note of notes) console.log(`note: ${findingText(note)}`);
  for (const problem of problems.slice(0, listed)) console.log(`FOUND: ${findingText(problem)}`);
  if (problems.length > listed) console.log(`… and ${problems.length - listed} more`);
  const checked = `${rows} ${rows === 1 ? 'row' : 'rows'}, ${heads} signed ${heads === 1 ? 'head' : 'heads'} (${signedBy})`;
  console.log(
    problems.length === 0
      ? `The audit is unchanged: ${checked}.`
      : `The audit was changed: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in ${checked}.`,
  );
}
