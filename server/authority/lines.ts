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

/** A line, and its canonical text. */
export interface ParsedLine {
  readonly line: LogLine;
  readonly text: string;
}

/** The line a text or value is, when it is one and nothing more. */
export function parseLine(raw: unknown): ParsedLine | 'FORM' | 'VERSION' {
  try {
    const value: unknown = typeof raw === 'string' ? JSON.parse(raw) : raw;
    if (typeof value !== 'object' || value === null || !('kind' in value)) return 'FORM';
    if (!('v' in value) || value.v !== logVersion) return 'VERSION';
    const schema = value.kind === 'signature' ? signatureLine : value.kind === 'statement' ? statementLine : genesisLine;
    const { success, data } = schema.safeParse(value);
    if (!success) return 'FORM';
    const text = canonical(data);
    // As it came, to the letter: nothing twice, nothing besides, no other spelling.
    return text === (typeof raw === 'string' ? raw : canonical(raw)) ? { line: data, text } : 'FORM';
  } catch {
    return 'FORM'; // no JSON, or none that has a canonical form
  }
}

/** SHA-256 of a canonical text, as `hashOf` has it. */
export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a key is known by: its public half, whatever it is used as. */
export const keyId = (key: AuthorityKey): string =>
  key.type === 'wallet' ? `wallet:${key.address.toLowerCase()}` : `p256:${key.publicKey}`;

/** Whether a proof says that it is by this key. */
export const isBy = (proof: SignatureLine['proof'], key: AuthorityKey): boolean => {
  if (proof.type === 'passkey') return key.type === 'passkey' && key.credential === proof.credential;
  if (proof.type === 'wallet') return key.type === 'wallet' && key.address.toLowerCase() === proof.address.toLowerCase();
  return key.type === 'software';
};
