import { readBands } from '../../lib/authority/bands.ts';

/** The rules that a form holds. A list of bands that is not right yet is empty. */
export const rulesOf = <R extends { bands: string; refundBands: string }>({ bands, refundBands, ...rest }: R) => ({
  ...rest,
  bands: readBands(bands) ?? [],
  refundBands: readBands(refundBands) ?? [],
});
