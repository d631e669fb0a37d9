/** What lifting a freeze has to repeat in the authority log: the difference that is accepted, in wei; '' of a freeze by hand. */
export const differenceOf = ({
  kind,
  supplyOff,
  ledgerOff,
}: {
  kind: 'difference' | 'manual';
  supplyOff: bigint | string;
  ledgerOff: bigint | string;
}): string => (kind === 'manual' ? '' : `supply ${supplyOff} ledger ${ledgerOff}`);
