import { createHash } from 'node:crypto';
import { canonical } from '../../api/authority/canonical.ts';
import {
  genesisLine,
  logVersion,
  signatureLine,
  statementLine,
  type AuthorityKey,
  type LogLine,
  type SignatureLine,
} from '../../api/authority/statements.ts';

export interface ParsedLine {
  readonly line: LogLine;
  readonly text: string;
}

/** Refuses unknown members. */
export function parseLogLine(rawLine: unknown): ParsedLine | 'FORM' | 'VERSION' {
  try {
    const value: unknown = typeof rawLine === 'string' ? JSON.parse(rawLine) : rawLine;
    if (typeof value !== 'object' || value === null || !('kind' in value)) return 'FORM';
    if (!('v' in value) || value.v !== logVersion) return 'VERSION';
    const schema = value.kind === 'signature' ? signatureLine : value.kind === 'statement' ? statementLine : genesisLine;
    const { success, data } = schema.safeParse(value);
    if (!success) return 'FORM';
    const text = canonical(data);
    // Must equal its canonical text exactly: no duplicates, nothing extra.
    return text === (typeof rawLine === 'string' ? rawLine : canonical(rawLine)) ? { line: data, text } : 'FORM';
  } catch {
    return 'FORM';
  }
}

export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The public half, for any key type. */
export const keyId = (key: AuthorityKey): string =>
  key.type === 'wallet' ? `wallet:${key.address.toLowerCase()}` : `p256:${key.publicKey}`;

export const isProofByKey = (proof: SignatureLine['proof'], key: AuthorityKey): boolean => {
  if (proof.type === 'passkey') return key.type === 'passkey' && key.credential === proof.credential;
  if (proof.type === 'wallet') return key.type === 'wallet' && key.address.toLowerCase() === proof.address.toLowerCase();
  return key.type === 'software';
};
