import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { Fragment, useLayoutEffect, useRef, type ReactElement } from 'react';
import { t } from '../../i18n/i18n.ts';
import { floatBeside } from '../overlay/floating.ts';
import { Calendar, type CalendarProps } from './calendar.tsx';

interface CalendarPopoverProps extends CalendarProps {
  /** The button that was just pressed for the first time. */
  opener: ReactElement;
}

export function CalendarPopover({ opener, day, onPick }: CalendarPopoverProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.click(), []);
  return (
    <Popover className="contents">
      <PopoverButton as={Fragment} ref={button}>
        {opener}
      </PopoverButton>
      <PopoverPanel
        ref={(panel: HTMLElement | null) => {
          if (!panel || !button.current) return;
          panel.showPopover();
          floatBeside(panel, button.current.offsetParent ?? button.current, 'start');
        }}
        popover="manual"
        role="dialog"
        aria-label={t('form.pickTime')}
        data-calendar
        className="fixed inset-auto m-0 rounded-card bg-overlay p-2 text-1 shadow-menu"
      >
        {({ close }) => (
          <Calendar
            day={day}
            onPick={(picked) => {
              onPick(picked);
              close();
            }}
          />
        )}
      </PopoverPanel>
    </Popover>
  );
}
