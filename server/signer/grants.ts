/**
 * Least privilege: reads the log, deposits, mints and schema version; updates mints and the mint status of deposits; stores
 * signed bytes and proofs of reserve; appends to the audit. No other writes. `role` must be quoted.
 */
export const signerGrants = (role: string): string[] => [
  `GRANT USAGE ON SCHEMA public, schema_history TO ${role}`,
  `GRANT SELECT ON schema_history.migrations, schema_history.sql_files TO ${role}`,
  `GRANT SELECT ON authority_lines, deposits, deposit_blocks, mints, mint_transactions, signer_nonces, money_freezes TO ${role}`,
  `GRANT INSERT ON mint_transactions, signer_nonces, audit_inbox TO ${role}`,
  `GRANT SELECT, INSERT, UPDATE ON reserve_proofs TO ${role}`,
  `GRANT UPDATE (next) ON signer_nonces TO ${role}`,
  `GRANT UPDATE (mint_status, version, updated_at) ON deposits TO ${role}`,
  `GRANT UPDATE (state, nonce, hash, block_number, block_hash, problem, details, attempts, leased_until, next_at, sent_at, updated_at) ON mints TO ${role}`,
];
