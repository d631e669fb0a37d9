export const validationRules = [
  'required',
  'tooLong',
  'tooShort',
  'url',
  'email',
  'time',
  'afterStart',
  'taken',
  'drawn',
  'lookAlike',
  'slug', // small letters, digits and hyphens
  'network', // not a network in CIDR form
  'everyNetwork', // 0.0.0.0/0 or ::/0
  'shutsOut', // a network list without the caller's address
  'lifetime', // in the past, or beyond SERVICE_TOKEN_DAYS
  'enrollmentCode', // wrong, used or expired
  'guarded', // a role that only holders of its permissions may give
  'unseen',
  'taproot',
  'units',
  'ratio',
  'ratioOrder', // requires MCR < TRGCR < TARCR ≤ MAX_TARCR
  'amount',
  'bitcoin',
  'txid',
  'withdrawn', // already withdrawn, or not minted
  'address',
  'spelling', // not in checksum case
  'receiver', // an address without an owner
  'checksum',
  'whole',
  'range',
  'tooMany',
  'tooDeep',
  'zero',
  'balance',
  'bands', // empty, or not in order
  'invalid',
  'extraCells',
  'strayQuote',
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

export type ValidationRule = (typeof validationRules)[number];
