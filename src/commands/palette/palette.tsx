import { Dialog, DialogBackdrop, DialogPanel } from '@headlessui/react';
import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useState } from 'react';
import { t } from '../../lib/i18n/i18n.ts';
import { $covered } from '../../lib/scope.ts';
import { addIcons } from '../../lib/ui/icon.tsx';
import { moreIcons } from '../../lib/ui/more-icons.ts';
import { $confirm, $palette, $question, asksInPalette } from '../surfaces/questions.ts';
import { Review } from '../surfaces/review.tsx';
import { emptyLine, Root } from './root.tsx';
import { Step } from './step.tsx';

/** The command palette: kept mounted, so that it opens at once. */
export function Palette() {
  const open = useStore($palette);
  const question = useStore($question);
  const confirm = useStore($confirm);
  const [line, setLine] = useState(emptyLine); // kept here, so that it is there again after a step back
  const step = question && asksInPalette(question.question) ? question : null;
  const review = confirm && asksInPalette(confirm) ? confirm : null;

  const close = useCallback(() => {
    step?.answer(null);
    review?.answer(false);
    $palette.set(null);
  }, [step, review]);

  useEffect(() => {
    if (!open) setLine(emptyLine);
  }, [open]);

  return (
    <Dialog open={open !== null} onClose={close} unmount={false} className="fixed inset-0 z-50" aria-label={t('palette.title')}>
      <DialogBackdrop className="fixed inset-0 bg-scrim" />
      <div className="fixed inset-0 flex items-start justify-center p-3 pt-[12vh] max-md:items-end max-md:p-0">
        <DialogPanel
          data-palette
          className="flex max-h-[76vh] w-160 max-w-full flex-col overflow-hidden rounded-dialog bg-overlay shadow-dialog max-md:w-full max-md:rounded-b-none"
        >
          {open && !review && !step && <Root targets={open.targets} line={line} setLine={setLine} close={close} />}
          {open && step && !review && <Step key={step.question.command.id} open={step} />}
          {open && review && <Review open={review} />}
        </DialogPanel>
      </div>
    </Dialog>
  );
}

addIcons(moreIcons);
$palette.subscribe((open) => $covered.set(open !== null));
