import { Fragment } from 'react';
import { t } from '../../i18n/i18n.ts';
import { keyChips, isMac, spellOutKeys } from './key-text.ts';

interface KbdProps {
  /** As commands name them: 'mod+k', 'g n', '#'. */
  keys: string;
  /** Uses the button's color. */
  onSolid?: boolean;
  /** If `aria-keyshortcuts` or the surrounding name already includes it. */
  silent?: boolean;
  /** Also on devices without a keyboard. */
  always?: boolean;
}

/** Hidden on devices without a keyboard. */
export function Kbd({ keys, onSolid = false, silent = false, always = false }: KbdProps) {
  const isMacOs = isMac();
  const chipClass = onSolid ? 'border-current/30' : 'border-hairline bg-layer text-2';
  return (
    <kbd dir="ltr" translate="no" className={`inline-flex shrink-0 items-center gap-1 font-sans ${always ? '' : 'touch:hidden'}`}>
      {!silent && <span className="sr-only">{spellOutKeys(keys, isMacOs, t)}</span>}
      {keyChips(keys, isMacOs).map((stroke, index) => (
        <Fragment key={index}>
          {index > 0 && (
            <span aria-hidden="true" className={`text-[0.6875rem]/none ${onSolid ? '' : 'text-2'}`}>
              {t('shell.key.next')}
            </span>
          )}
          {stroke.map((key) => (
            <span
              key={key}
              aria-hidden="true"
              className={`inline-flex h-5 min-w-5 items-center justify-center rounded-chip border px-1 text-[0.6875rem]/none font-medium ${chipClass}`}
            >
              {key}
            </span>
          ))}
        </Fragment>
      ))}
    </kbd>
  );
}
