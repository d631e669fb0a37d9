import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readAuditKey } from '../platform/audit/heads.ts';
import { formatFinding, type AuditVerdict } from '../platform/audit/verify.ts';
import type { Config } from '../platform/core/config.ts';

/** The configured key or that in the data folder. Creates none. */
export function readOwnKeys(config: Config): KeyObject[] {
  if (config.auditKeyFile === null && !existsSync(`${config.dataDir}/audit-key.pem`)) return [];
  return [createPublicKey(readAuditKey(config))];
}

export function formatVerdict({ rows, heads, problems, notes }: AuditVerdict, signedBy: string, maxListed = 100): void {
  for (const note of notes) console.log(`note: ${formatFinding(note)}`);
  for (const problem of problems.slice(0, maxListed)) console.log(`FOUND: ${formatFinding(problem)}`);
  if (problems.length > maxListed) console.log(`… and ${problems.length - maxListed} more`);
  const checkedSummary = `${rows} ${rows === 1 ? 'row' : 'rows'}, ${heads} signed ${heads === 1 ? 'head' : 'heads'} (${signedBy})`;
  console.log(
    problems.length === 0
      ? `The audit is unchanged: ${checkedSummary}.`
      : `The audit was changed: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in ${checkedSummary}.`,
  );
}
