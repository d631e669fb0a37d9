export type WalletRefusal = 'rejected' | 'pending' | 'unsupported' | 'disconnected' | 'unauthorized';

// Sources: EIP-1193, EIP-1474, CAIP-25 (WalletConnect) and ethers.
const refusals = new Map<unknown, WalletRefusal>([
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

const rejected =
  /\buser (has )?(reject|den(y|ied)|declin|disapprov|refus|cancel|clos)|\b(reject|deni|declin|refus|cancel)\w* by (the )?user|\b(reject|declin|cancel)\w* the (request|transaction|signature)|^\W*(rejected|denied|declined|cancell?ed)\W*$|ACTION_REJECTED|用户(已)?(拒绝|取消)/i;
const unsupported =
  /\b(method|operation)\b.*\b(not|un)[ -]?(found|supported|implemented|available)|\bnot implemented|\bunsupported method|\bmethod\b.*\bdoes(n.t| not) exist/i;

const nested = ['cause', 'error', 'originalError', 'data', 'info', 'innerError', 'reason'] as const;
const maxNesting = 30;

/** Null for other errors. Nested errors count too. */
export function walletRefusalOf(thrown: unknown): WalletRefusal | null {
  const errors = allIn(thrown);
  const byCode = errors.flatMap(({ code }) => refusals.get(numeric(code)) ?? []);
  if (byCode.includes('rejected') || errors.some(({ words }) => rejected.test(words) && !/revert/i.test(words)))
    return 'rejected';
  return byCode[0] ?? (errors.some(({ words }) => unsupported.test(words)) ? 'unsupported' : null);
}

export const hasCode = (thrown: unknown, requested: number): boolean =>
  allIn(thrown).some(({ code }) => numeric(code) === requested);

/** Outermost first. */
function allIn(thrown: unknown): { code: unknown; words: string }[] {
  const left: unknown[] = [thrown];
  const seen = new Set<unknown>();
  const found: { code: unknown; words: string }[] = [];
  while (left.length > 0 && found.length < maxNesting) {
    const at = left.shift();
    if (typeof at === 'string') found.push({ code: null, words: at });
    if (typeof at !== 'object' || at === null || seen.has(at)) continue;
    seen.add(at);
    const { code, message } = at as { code?: unknown; message?: unknown };
    found.push({ code, words: typeof message === 'string' ? message : '' });
    for (const name of nested) left.push((at as Partial<Record<string, unknown>>)[name]);
  }
  return found;
}

const numeric = (code: unknown): unknown => (typeof code === 'string' && /^-?\d+$/.test(code) ? Number(code) : code);
