import { useStore } from '@nanostores/react';
import { $authority } from '../../authority/state.ts';
import { $freeze } from '../../custody/shared/freeze.ts';
import { askOf } from './ask.ts';

/** A colleague's signature changes what the press does. */
export function useAsk(asked: Parameters<typeof askOf>[0]): ReturnType<typeof askOf> {
  useStore($freeze);
  useStore($authority);
  return askOf(asked);
}
