import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { Fragment, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { formatTime } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { positionBeside } from '../overlay/floating.ts';
import { Calendar } from './calendar.tsx';
import { lineClass } from './line-class.ts';
import { timeOfDay } from './input-text.ts';

interface CalendarPopoverProps {
  /** The button that was just pressed for the first time. */
  opener: ReactElement;
  /** `YYYY-MM-DD HH:mm`, or null without a valid time. */
  value: string | null;
  today: Date;
  onPick: (value: string) => void;
}

/** A calendar and a time of day. A day and Enter, then a time and Enter. */
export function CalendarPopover({ opener, value, today, onPick }: CalendarPopoverProps) {
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
          positionBeside(panel, button.current.offsetParent ?? button.current, 'start');
        }}
        popover="manual"
        role="dialog"
        aria-label={t('form.pickTime')}
        data-calendar
        className="fixed inset-auto m-0 rounded-card bg-overlay p-2 text-1 shadow-menu"
      >
        {({ close }) => <DayAndTime value={value} today={today} onPick={onPick} close={close} />}
      </PopoverPanel>
    </Popover>
  );
}

const timeSuggestions = ['00:00', '09:00', '12:00', '18:00'];

function DayAndTime({ value, today, onPick, close }: Omit<CalendarPopoverProps, 'opener'> & { close: () => void }) {
  const [enteredTime, setEnteredTime] = useState(value?.slice(11) ?? timeSuggestions[0] ?? '');
  const input = useRef<HTMLInputElement>(null);
  const labelId = useId();
  const day = value?.slice(0, 10) ?? formatTime(today.toISOString()).slice(0, 10);
  const time = timeOfDay(enteredTime);
  function setTime(text: string) {
    setEnteredTime(text);
    const parsedTime = timeOfDay(text);
    if (parsedTime !== null) onPick(`${day} ${parsedTime}`);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (time !== null) close();
  }
  return (
    <>
      <Calendar
        day={new Date(`${day}T00:00`)}
        onPick={(pickedDay) => {
          onPick(`${formatTime(pickedDay.toISOString()).slice(0, 10)} ${time ?? timeSuggestions[0]}`);
          input.current?.focus();
          input.current?.select();
        }}
      />
      <div className="mt-1 flex w-0 min-w-full flex-wrap items-center gap-1 border-t border-hairline pt-2">
        <span id={labelId} className="text-meta text-2">
          {t('form.timeOfDay')}
        </span>
        <span dir="ltr" className="w-16">
          <input
            ref={input}
            type="text"
            autoComplete="off"
            aria-labelledby={labelId}
            aria-invalid={time === null}
            placeholder="HH:mm"
            className={`${lineClass} tabular-nums`}
            value={enteredTime}
            onChange={({ target }) => setTime(target.value)}
            onKeyDown={onKeyDown}
          />
        </span>
        <Button look="primary" className="ms-auto" disabled={time === null} onClick={close}>
          {t('form.timeDone')}
        </Button>
        <span className="flex w-full justify-between">
          {timeSuggestions.map((suggestion) => (
            <Button key={suggestion} look="ghost" className="px-1.5! tabular-nums" onClick={() => setTime(suggestion)}>
              {suggestion}
            </Button>
          ))}
        </span>
      </div>
    </>
  );
}
