import { hostname } from 'node:os';
import { isVisibleName } from '../../api/visible-text.ts';

/** The name of this machine without characters that the panel refuses. */
export function machineName(): string {
  const name = hostname()
    .replaceAll(/[^\p{L}\p{N}._-]/gu, '')
    .slice(0, 64)
    .normalize('NFC');
  return name !== '' && isVisibleName(name) ? name : 'terminal';
}
