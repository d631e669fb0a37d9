import type { ChunkError } from '../chunks/loader.ts';
import { t } from '../i18n/i18n.ts';
import { $newerBuild } from '../net/connectivity.ts';

/** See specification §8. */
export const chunkTitle = ({ part }: ChunkError): string => t(part === 'styles' ? 'shell.failed.styles' : 'shell.failed.chunk');

/** The cause and what to do. */
export function chunkCause({ reason }: ChunkError): string {
  if (reason === 'missing') return t($newerBuild.get() === null ? 'shell.failed.missing' : 'shell.failed.gone');
  if (reason === 'timeout') return t('shell.failed.timeout');
  return t('shell.failed.broken', { type: reason });
}

export const chunkText = (error: ChunkError): string => `${chunkTitle(error)} · ${chunkCause(error)}`;
