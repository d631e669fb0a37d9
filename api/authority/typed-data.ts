import type { TypedDataDomain } from 'viem';
import { canonical, canonicalHash } from './canonical.ts';
import { logVersion, type Statement } from './statements.ts';

/** Every field is text, so that a hardware wallet displays it. */
export interface StatementTypedData {
  readonly domain: TypedDataDomain;
  readonly types: Record<string, { name: string; type: string }[]>;
  readonly primaryType: string;
  readonly message: Record<string, string>;
}

export interface LogDomain {
  readonly genesis: string;
  readonly chainId: number;
  readonly bridge: string;
}

export function buildTypedData(statement: Statement, { genesis, chainId, bridge }: LogDomain): StatementTypedData {
  const message: Record<string, string> = {};
  for (const [key, value] of Object.entries(statement.content).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    message[key] = typeof value === 'string' ? value : canonical(value);
  message['statementAfterLine'] = String(statement.after.number);
  message['statementExpires'] = statement.expires;
  message['statementHash'] = canonicalHash(statement);
  const primaryType = statement.kind.replace(/(^|\.)(\w)/g, (_all, _dot, letter: string) => letter.toUpperCase());
  return {
    domain: {
      name: 'Admin Panel Authority',
      version: String(logVersion),
      chainId,
      verifyingContract: bridge as `0x${string}`,
      salt: `0x${genesis}`,
    },
    types: { [primaryType]: Object.keys(message).map((name) => ({ name, type: 'string' })) },
    primaryType,
    message,
  };
}
