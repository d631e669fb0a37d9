import type { SearchClue } from '../../../engine/resource.ts';

export interface ClueQuery {
  /** Found inside pasted links and sentences. */
  text: string;
  clues: readonly SearchClue[];
}

const minQueryLength = 2;

const cluePatterns: readonly { shape: RegExp; clues: readonly SearchClue[] }[] = [
  { shape: /(?<![\da-f-])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f-])/i, clues: ['id'] },
  { shape: /(?<![\da-z])(?:0x)?[\da-f]{64}(?::\d{1,9})?(?![\da-z])/i, clues: ['hash'] },
  { shape: /(?<![\da-z])0x[\da-f]{40}(?![\da-z])/i, clues: ['address', 'wholeAddress'] },
  { shape: /^0x[\da-f]{1,63}$/i, clues: ['address', 'hash'] },
  { shape: /[^\s@<>:;,"']+@[^\s@<>;,"']+/, clues: ['email'] },
  { shape: /^[^\s@]*@[^\s@]*$/, clues: ['email'] },
  { shape: /(?<![\da-z])(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{6,87}(?![\da-z])/i, clues: ['bitcoin'] },
  { shape: /^[123mn][1-9A-HJ-NP-Za-km-z]{25,34}$/, clues: ['bitcoin', 'words'] },
  { shape: /^(?=.*\d)[\da-f]{8,63}$/i, clues: ['hash', 'words'] },
];

/** Null: too short to search. */
export function parseClues(query: string): ClueQuery | null {
  const normalizedQuery = query.normalize('NFKC').trim();
  if (normalizedQuery.length < minQueryLength) return null;
  for (const { shape, clues } of cluePatterns) {
    const [text] = shape.exec(normalizedQuery) ?? [];
    if (text) return { text: clues.includes('hash') ? stripHashPrefix(text) : text, clues };
  }
  return { text: normalizedQuery, clues: ['words'] };
}

/** The lists store Bitcoin hashes without the bridge's 0x. */
const stripHashPrefix = (text: string): string => (/^0x[\da-f]{64}/i.test(text) ? text.slice(2) : text).toLowerCase();
