import { groupDigits } from '../../lib/format.ts';

export const signed = (berries: string): string => `${berries.startsWith('-') ? '−' : '+'}${grouped(berries.replace('-', ''))}`;
export const grouped = (berries: string): string => groupDigits(BigInt(berries));
