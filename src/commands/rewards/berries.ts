import { groupDigits } from '../../lib/format.ts';

export const signedBerries = (berries: string): string =>
  `${berries.startsWith('-') ? '−' : '+'}${groupBerries(berries.replace('-', ''))}`;
export const groupBerries = (berries: string): string => groupDigits(BigInt(berries));
