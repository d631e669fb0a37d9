import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';
import { t } from '../../../lib/i18n/i18n.ts';
import type { Target } from '../../../lib/scope.ts';
import { isMac } from '../../../lib/ui/value/key-text.ts';
import { matchesStroke, type KeyStroke } from '../../engine/keys/keys.ts';
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

const withModifier = (key: string): KeyStroke => ({ mod: true, ctrl: false, alt: false, shift: false, key });

export function PaletteRoot({ targets, line, setLine, close }: RootProps) {
  const { query, within } = line;
  const [isSelectionDropped, setSelectionDropped] = useState(false);
  const aimedTargets = useMemo(
    () => (within ? [within] : isSelectionDropped ? [] : targets),
    [within, isSelectionDropped, targets],
  );
  const narrowTo = useCallback((target: Target) => setLine({ query: '', within: target, outer: query }), [query, setLine]);
  const { rows, choiceOf, found, busy } = useChoices({ query, within, aimed: aimedTargets, narrow: narrowTo });
  const widen = () => setLine({ ...emptyLine, query: line.outer });
  const removeChip = () => (within ? widen() : setSelectionDropped(true));

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, currentValue: string) => {
    const choice = choiceOf(currentValue);
    const preventClose = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (event.key === 'Escape' && (query !== '' || within)) {
      preventClose();
      if (query !== '') setLine({ ...line, query: '' });
      else widen();
    } else if (event.key === 'Backspace' && query === '' && !event.repeat) {
      preventClose(); // or it would delete a letter of the restored text
      removeChip();
    } else if (matchesStroke(event.nativeEvent, withModifier('k'), isMac())) {
      preventClose();
      close();
    } else if (matchesStroke(event.nativeEvent, withModifier('enter'), isMac())) {
      preventClose();
      if (choice) runKeepingPalette(choice, aimedTargets, close);
    } else if (choice?.kind === 'record' && isForward(event)) {
      preventClose();
      if (choice.target) narrowTo(choice.target);
    }
  };

  return (
    <PaletteList
      label={t('finder.title')}
      query={query}
      onQuery={(text) => setLine({ ...line, query: text })}
      placeholder={t(within ? 'finder.within' : 'finder.placeholder')}
      rows={rows}
      onSelect={(value) => {
        const choice = choiceOf(value);
        if (choice) runChoice(choice, { aimed: aimedTargets, query, close, narrow: narrowTo });
      }}
      onKeyDown={onKeyDown}
      empty={t(busy ? 'finder.searching' : within && query === '' ? 'finder.nothingWithin' : 'finder.empty')}
      status={found > 0 && !busy ? t('finder.found', { count: found }) : undefined}
      chips={aimedTargets.length > 0 && <PaletteChip text={targetsText(aimedTargets)} drop={removeChip} />}
      below={(currentValue) => {
        const choice = choiceOf(currentValue);
        return (
          <>
            {choice && choice.kind !== 'filter' && <PalettePreview choice={choice} aimed={aimedTargets} />}
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
  const forwardKey = (dir || document.dir) === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  return event.key === 'Tab' || (event.key === forwardKey && selectionStart === value.length && selectionEnd === value.length);
}
