import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';
import { t } from '../../../lib/i18n/i18n.ts';
import type { Target } from '../../../lib/scope.ts';
import { isMac } from '../../../lib/ui/value/key-text.ts';
import { isStroke, type KeyStroke } from '../../engine/keys/keys.ts';
import { targetsText } from '../dialogs/confirm-words.ts';
import { hintsOf } from './choice-row.tsx';
import { useChoices } from './choices.ts';
import { runKeepingPalette, runChoice } from './choose.ts';
import { PaletteList } from './list.tsx';
import { PaletteChip, Footer, type KeyHint } from './parts.tsx';
import { PalettePreview } from './preview.tsx';

/** `within`: only commands of that record. `outer`: the query before. */
export interface PaletteLine {
  query: string;
  within: Target | null;
  outer: string;
}
export const emptyLine: PaletteLine = { query: '', within: null, outer: '' };

interface RootProps {
  targets: readonly Target[];
  line: PaletteLine;
  setLine: (line: PaletteLine) => void;
  close: () => void;
}

const mod = (key: string): KeyStroke => ({ mod: true, ctrl: false, alt: false, shift: false, key });

export function PaletteRoot({ targets, line, setLine, close }: RootProps) {
  const { query, within } = line;
  const [dropped, setDropped] = useState(false);
  const aimed = useMemo(() => (within ? [within] : dropped ? [] : targets), [within, dropped, targets]);
  const narrow = useCallback((target: Target) => setLine({ query: '', within: target, outer: query }), [query, setLine]);
  const { rows, choiceOf, found, busy } = useChoices({ query, within, aimed, narrow });
  const widen = () => setLine({ ...emptyLine, query: line.outer });
  const drop = () => (within ? widen() : setDropped(true));

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, current: string) => {
    const choice = choiceOf(current);
    const keep = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (event.key === 'Escape' && (query !== '' || within)) {
      keep();
      if (query !== '') setLine({ ...line, query: '' });
      else widen();
    } else if (event.key === 'Backspace' && query === '' && !event.repeat) {
      keep(); // or it would delete a letter of the restored text
      drop();
    } else if (isStroke(event.nativeEvent, mod('k'), isMac())) {
      keep();
      close();
    } else if (isStroke(event.nativeEvent, mod('enter'), isMac())) {
      keep();
      if (choice) runKeepingPalette(choice, aimed, close);
    } else if (choice?.kind === 'record' && isForward(event)) {
      keep();
      if (choice.target) narrow(choice.target);
    }
  };

  return (
    <PaletteList
      label={t('palette.title')}
      query={query}
      onQuery={(text) => setLine({ ...line, query: text })}
      placeholder={t(within ? 'finder.within' : 'finder.placeholder')}
      rows={rows}
      onSelect={(value) => {
        const choice = choiceOf(value);
        if (choice) runChoice(choice, { aimed, query, close, narrow });
      }}
      onKeyDown={onKeyDown}
      empty={t(busy ? 'finder.searching' : within && query === '' ? 'finder.nothingWithin' : 'finder.empty')}
      status={found > 0 && !busy ? t('finder.found', { count: found }) : undefined}
      chips={aimed.length > 0 && <PaletteChip text={targetsText(aimed)} drop={drop} />}
      below={(current) => {
        const choice = choiceOf(current);
        return (
          <>
            {choice && choice.kind !== 'filter' && <PalettePreview choice={choice} aimed={aimed} />}
            <Footer back={within !== null} hints={choice ? hintsOf(choice) : noHints} />
          </>
        );
      }}
    />
  );
}

const noHints: readonly KeyHint[] = [];

function isForward(event: KeyboardEvent<HTMLInputElement>): boolean {
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { selectionStart, selectionEnd, value, dir } = event.currentTarget;
  const out = (dir || document.dir) === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  return event.key === 'Tab' || (event.key === out && selectionStart === value.length && selectionEnd === value.length);
}
