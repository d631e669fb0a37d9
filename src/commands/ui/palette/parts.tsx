import X from 'lucide-react/icons/x';
import { memo, type MouseEvent } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { t, type TextKey } from '../../../lib/i18n/i18n.ts';
import { Kbd } from '../../../lib/ui/value/kbd.tsx';
import { keysOf } from '../../app/keymap.ts';

const chipClass =
  'inline-flex h-6 max-w-60 items-center gap-1 rounded-chip border border-hairline bg-layer px-2 text-meta touch:h-11 touch:px-3';

export function PaletteChip({ text, drop }: { text: string; drop?: () => void }) {
  if (!drop) {
    return (
      <span className={chipClass}>
        <span className="truncate">{text}</span>
      </span>
    );
  }
  return (
    <button
      type="button"
      tabIndex={-1}
      onMouseDown={keepInputFocus}
      onClick={drop}
      aria-label={t('finder.drop', { name: text })}
      className={chipClass}
    >
      <span className="truncate">{text}</span>
      <X size={12} aria-hidden="true" className="text-2" />
    </button>
  );
}

export const keepInputFocus = (event: MouseEvent) => event.preventDefault();

export function Keys({ id }: { id: CommandId }) {
  const [keys] = keysOf(id);
  return keys ? <Kbd keys={keys} /> : null;
}

export function HighlightedText({ text, marks }: { text: string; marks: readonly number[] }) {
  if (marks.length === 0) return text;
  return runsOf(text, new Set(marks)).map((textRun, index) =>
    index % 2 === 0 ? (
      textRun
    ) : (
      <mark key={index} className="bg-transparent font-semibold text-accent-text">
        {textRun}
      </mark>
    ),
  );
}

function runsOf(text: string, markedIndexes: ReadonlySet<number>): string[] {
  const textRuns = [''];
  [...text].forEach((character, index) => {
    if (markedIndexes.has(index) === (textRuns.length % 2 === 0)) textRuns.push(`${textRuns.pop() ?? ''}${character}`);
    else textRuns.push(character);
  });
  return textRuns;
}

export interface KeyHint {
  keys: string;
  text: TextKey;
}

const defaultHints: readonly KeyHint[] = [{ keys: 'enter', text: 'finder.hint.run' }];

export const Footer = memo(function Footer({
  back = false,
  hints = defaultHints,
}: {
  back?: boolean;
  hints?: readonly KeyHint[];
}) {
  return (
    <div className="flex items-center gap-4 overflow-hidden border-t border-hairline px-4 py-2 text-meta whitespace-nowrap text-2 max-md:hidden touch:hidden">
      {hints.map((hint) => (
        <Hint key={hint.keys} {...hint} />
      ))}
      <span className="inline-flex items-center gap-1.5">
        <Kbd keys="up" silent />
        <Kbd keys="down" silent />
        {t('finder.hint.move')}
      </span>
      <Hint keys="escape" text={back ? 'finder.hint.back' : 'finder.hint.close'} />
    </div>
  );
});

const Hint = ({ keys, text }: KeyHint) => (
  <span className="inline-flex items-center gap-1.5">
    <Kbd keys={keys} silent />
    {t(text)}
  </span>
);
