import { groupDigits } from '../../lib/format.ts';

/** Berries as reviews name them: grouped, with their sign. */
export const signed = (berries: string): string => `${berries.startsWith('-') ? '−' : '+'}${grouped(berries.replace('-', ''))}`;
export const grouped = (berries: string): string => groupDigits(BigInt(berries));
