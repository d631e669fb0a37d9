import { useStore } from '@nanostores/react';
import { $authority } from '../../authority/state.ts';
import { $freeze } from '../../custody/shared/freeze.ts';
import { confirmTextsOf } from './confirm-words.ts';

/** A colleague's signature changes what the press does. */
export function useConfirmTexts(confirmTarget: Parameters<typeof confirmTextsOf>[0]): ReturnType<typeof confirmTextsOf> {
  useStore($freeze);
  useStore($authority);
  return confirmTextsOf(confirmTarget);
}
