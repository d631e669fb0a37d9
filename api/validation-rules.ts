/** What a field's value may break. Each has its text in the dictionaries (`form.rule.*`). */
export const rules = [
  'required',
  'tooLong',
  'tooShort',
  'url',
  'email',
  'time',
  'afterStart',
  'taken',
  'drawn', // the captain has a draw at that time
  'lookAlike', // it could be taken for a name that is there already
  'unseen', // letters that are not seen, or that turn the writing around
  'taproot',
  'units', // no decimal number of a token's units, or finer than they go
  'ratio', // no percentage above zero
  'ratioOrder', // not MCR < TRGCR < TARCR ≤ MAX_TARCR
  'amount', // no amount of bitcoin above zero
  'bitcoin', // no Bitcoin address, or one of another network
  'txid',
  'withdrawn', // the deposit has a withdrawal already, or is not minted
  'address', // no EVM address
  'spelling', // an EVM address without the checksum that its capitals are
  'receiver', // an EVM address that nobody holds the key of
  'checksum', // its capitals do not fit its digits: mistyped
  'whole',
  'range',
  'tooMany', // as many as there may be are there already
  'tooDeep', // further down in a tree than it may go
  'zero',
  'balance', // more than there is
  'bands', // no bands of amounts, or not one after the other
  'invalid',
  // of a file
  'extraCells', // a row with more cells than the table has columns
  'strayQuote', // text behind a closing quote
  'timeSpelling', // a time in a spelling that can be read in two ways, or in none
  'clockChange', // a time that a clock change leaves out or has twice
  'notReadableSo', // no text in the chosen encoding
  'tooManyEdits',
  'notCsv',
  'joinedLines', // a row that a stray quote joined with the rows below it
  'longRow',
  'encoding',
  'openQuote',
  'fileEmpty',
  'fileTooLarge',
  'tooManyRows',
  'tooManyColumns',
  'tooMuchWaiting', // together with the person's other files that are not done
] as const;

export type Rule = (typeof rules)[number];
