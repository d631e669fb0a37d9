/** The accepted difference in wei, '' for a freeze by hand. */
export const buildDifferenceKey = ({
  kind,
  supplyOff,
  ledgerOff,
}: {
  kind: 'difference' | 'manual';
  supplyOff: bigint | string;
  ledgerOff: bigint | string;
}): string => (kind === 'manual' ? '' : `supply ${supplyOff} ledger ${ledgerOff}`);
