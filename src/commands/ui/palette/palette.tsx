import { Dialog, DialogBackdrop, DialogPanel } from '@headlessui/react';
import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { t } from '../../../lib/i18n/i18n.ts';
import { $paletteOpen, type Target } from '../../../lib/scope.ts';
import { addIcons } from '../../../lib/ui/icon.tsx';
import { makeLateInert } from '../../../lib/ui/overlay/late-inert.ts';
import { moreIcons } from '../../../lib/ui/more-icons.ts';
import { isAskedInPalette } from '../../app/collect.ts';
import { $confirm, $palette, $question, type OpenConfirm, type OpenQuestion } from '../../app/open-dialogs.ts';
import { ReviewDialog } from '../dialogs/review.tsx';
import { emptyLine, PaletteRoot } from './root.tsx';
import { PaletteStep } from './step.tsx';

/** Kept mounted, so that it opens without delay. */
export function Palette() {
  const openPalette = useStore($palette);
  return (
    <Dialog
      open={openPalette !== null}
      onClose={close}
      unmount={false}
      className="fixed inset-0 z-50"
      aria-label={t('finder.title')}
    >
      <DialogBackdrop className="fixed inset-0 bg-scrim" />
      <div className="fixed inset-0 flex items-start justify-center p-3 pt-[12vh] max-md:items-end max-md:p-0">
        <DialogPanel
          data-palette
          className="flex max-h-[76vh] w-160 max-w-full flex-col overflow-hidden rounded-dialog bg-overlay shadow-dialog max-md:w-full max-md:rounded-b-none"
        >
          {openPalette && <PaletteContent key={openPalette.typed} {...openPalette} />}
        </DialogPanel>
      </div>
    </Dialog>
  );
}

function close(): void {
  stepOf($question.get())?.answer(null);
  stepOf($confirm.get())?.answer(false);
  $palette.set(null);
}

function stepOf<Open extends OpenQuestion | OpenConfirm>(openPalette: Open | null): Open | null {
  return openPalette && isAskedInPalette('question' in openPalette ? openPalette.question : openPalette) ? openPalette : null;
}

function PaletteContent({ targets, typed = '' }: { targets: readonly Target[]; typed?: string }) {
  const questionStep = stepOf(useStore($question));
  const confirmStep = stepOf(useStore($confirm));
  const [paletteLine, setPaletteLine] = useState({ ...emptyLine, query: typed }); // Kept here, so that stepping back restores it.
  if (questionStep)
    return (
      <PaletteStep
        key={questionStep.question.command.id}
        open={questionStep}
        review={confirmStep}
        commandQuery={paletteLine.query}
      />
    );
  if (confirmStep) return <ReviewDialog open={confirmStep} />;
  return <PaletteRoot targets={targets} line={paletteLine} setLine={setPaletteLine} close={close} />;
}

addIcons(moreIcons);
makeLateInert(document.getElementById('root') ?? document.body);
$palette.subscribe((openPalette) => $paletteOpen.set(openPalette !== null));
