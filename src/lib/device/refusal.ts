export type WalletRefusal = 'rejected' | 'pending' | 'unsupported' | 'disconnected' | 'unauthorized';

// Sources: EIP-1193, EIP-1474, CAIP-25 (WalletConnect) and ethers.
const refusalsByCode = new Map<unknown, WalletRefusal>([
  [4001, 'rejected'],
  [5000, 'rejected'],
  [5001, 'rejected'],
  [5002, 'rejected'],
  ['ACTION_REJECTED', 'rejected'],
  [-32002, 'pending'],
  [4200, 'unsupported'],
  [-32601, 'unsupported'],
  [-32004, 'unsupported'],
  ['UNSUPPORTED_OPERATION', 'unsupported'],
  [4900, 'disconnected'],
  [4901, 'disconnected'],
  [4100, 'unauthorized'],
]);

const rejectionPattern =
  /\buser (has )?(reject|den(y|ied)|declin|disapprov|refus|cancel|clos)|\b(reject|deni|declin|refus|cancel)\w* by (the )?user|\b(reject|declin|cancel)\w* the (request|transaction|signature)|^\W*(rejected|denied|declined|cancell?ed)\W*$|ACTION_REJECTED|用户(已)?(拒绝|取消)/i;
const unsupportedPattern =
  /\b(method|operation)\b.*\b(not|un)[ -]?(found|supported|implemented|available)|\bnot implemented|\bunsupported method|\bmethod\b.*\bdoes(n.t| not) exist/i;

const nestedErrorKeys = ['cause', 'error', 'originalError', 'data', 'info', 'innerError', 'reason'] as const;
const maxNesting = 30;

/** Null for other errors. Nested errors count too. */
export function readWalletRefusal(error: unknown): WalletRefusal | null {
  const errors = collectErrors(error);
  const codeRefusal = errors.flatMap(({ code }) => refusalsByCode.get(toNumericCode(code)) ?? []);
  if (codeRefusal.includes('rejected') || errors.some(({ words }) => rejectionPattern.test(words) && !/revert/i.test(words)))
    return 'rejected';
  return codeRefusal[0] ?? (errors.some(({ words }) => unsupportedPattern.test(words)) ? 'unsupported' : null);
}

export const hasCode = (error: unknown, expectedCode: number): boolean =>
  collectErrors(error).some(({ code }) => toNumericCode(code) === expectedCode);

/** Outermost first. */
function collectErrors(error: unknown): { code: unknown; words: string }[] {
  const queue: unknown[] = [error];
  const visited = new Set<unknown>();
  const errors: { code: unknown; words: string }[] = [];
  while (queue.length > 0 && errors.length < maxNesting) {
    const current = queue.shift();
    if (typeof current === 'string') errors.push({ code: null, words: current });
    if (typeof current !== 'object' || current === null || visited.has(current)) continue;
    visited.add(current);
    const { code, message } = current as { code?: unknown; message?: unknown };
    errors.push({ code, words: typeof message === 'string' ? message : '' });
    for (const name of nestedErrorKeys) queue.push((current as Partial<Record<string, unknown>>)[name]);
  }
  return errors;
}

const toNumericCode = (code: unknown): unknown => (typeof code === 'string' && /^-?\d+$/.test(code) ? Number(code) : code);
