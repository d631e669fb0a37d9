/** Texts: `form.rule.*` in the dictionaries. */
export const rules = [
  'required',
  'tooLong',
  'tooShort',
  'url',
  'email',
  'time',
  'afterStart',
  'taken',
  'drawn', // the captain already has a draw then
  'lookAlike', // confusable with an existing name
  'unseen', // invisible characters
  'taproot',
  'units', // invalid or too precise
  'ratio',
  'ratioOrder', // requires MCR < TRGCR < TARCR ≤ MAX_TARCR
  'amount',
  'bitcoin', // invalid, or of another network
  'txid',
  'withdrawn', // already withdrawn, or not minted
  'address',
  'spelling', // not in checksum case
  'receiver', // an address without an owner
  'checksum', // checksum mismatch: mistyped
  'whole',
  'range',
  'tooMany',
  'tooDeep',
  'zero',
  'balance',
  'bands', // empty, or not in order
  'invalid',
  // Rules of files.
  'extraCells', // more cells than columns
  'strayQuote', // text after a closing quote
  'timeSpelling', // ambiguous or unreadable time
  'clockChange', // skipped or repeated by a clock change
  'notReadableSo',
  'tooManyEdits',
  'notCsv',
  'joinedLines', // rows joined by a stray quote
  'longRow',
  'encoding',
  'openQuote',
  'fileEmpty',
  'fileTooLarge',
  'tooManyRows',
  'tooManyColumns',
  'tooMuchWaiting', // with the person's other pending files
] as const;

export type Rule = (typeof rules)[number];
