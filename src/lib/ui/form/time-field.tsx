import CalendarClock from 'lucide-react/icons/calendar-clock';
import { cloneElement, useRef, useState } from 'react';
import { createChunk } from '../../chunks/loader.ts';
import { useChunk } from '../../chunks/use-chunk.ts';
import { formatTime, zoneName } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { Button, IconButton } from '../button.tsx';
import { FailedChunk } from '../failed-part.tsx';
import { lineClass } from './line-class.ts';
import { fieldAttributes } from './field-attributes.tsx';
import type { ControlProps } from './field-view.ts';
import { toStoredTime, toInputTime } from './input-text.ts';

const calendarChunk = createChunk(() => import('./calendar-popover.tsx').then(({ CalendarPopover }) => CalendarPopover));
const naturalTimeChunk = createChunk(() => import('./natural-time.ts').then(({ parseNaturalTime }) => parseNaturalTime));

/** Typed as `YYYY-MM-DD HH:mm` or in words, or picked. The value is ISO-8601 UTC. */
export function TimeField(props: ControlProps<string>) {
  const { value, onChange } = props;
  const [enteredText, setEnteredText] = useState(() => toInputTime(value));
  const [sentValue, setSentValue] = useState(value);
  const [isCalendarNeeded, setIsCalendarNeeded] = useState(false);
  const calendar = useChunk(calendarChunk, isCalendarNeeded);
  if (value !== sentValue) {
    setSentValue(value);
    setEnteredText(toInputTime(value));
  }
  const latestText = useRef(enteredText);
  function holdText(nextText: string) {
    setSentValue(nextText);
    onChange(nextText);
  }
  function acceptText(text: string) {
    latestText.current = text;
    setEnteredText(text);
    const nextValue = toStoredTime(text);
    holdText(nextValue);
    if (nextValue === text) void acceptNaturalTime(text);
  }
  /** Holds the moment that the words mean, and leaves the words in the field until it loses focus. */
  async function acceptNaturalTime(text: string) {
    const naturalTime = await naturalTimeChunk.load().catch(() => null);
    const parsedTime = await naturalTime?.(text, new Date());
    if (parsedTime && latestText.current === text) holdText(parsedTime);
  }
  const [openedAt] = useState(() => new Date());
  const date = new Date(value);
  const timeZone = zoneName(Number.isNaN(date.getTime()) ? openedAt : date);
  const isValidTime = !Number.isNaN(date.getTime()) && value !== '';
  const interpretedTime = isValidTime && toInputTime(value) !== enteredText ? toInputTime(value) : null;
  const button = (
    <IconButton
      label={t('form.pickTime')}
      icon={<CalendarClock size={14} aria-hidden="true" />}
      className="absolute inset-y-0 end-0.5 my-auto h-6! w-7!"
      aria-haspopup="dialog"
    />
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div dir="ltr" className="relative w-52 pointer-coarse:w-60">
        <input
          {...fieldAttributes(props)}
          type="text"
          autoComplete="off"
          spellCheck={false}
          placeholder="YYYY-MM-DD HH:mm"
          className={`${lineClass} pe-9 tabular-nums`}
          value={enteredText}
          onChange={({ target }) => acceptText(target.value)}
          onBlur={() => interpretedTime !== null && setEnteredText(interpretedTime)}
        />
        {isCalendarNeeded && calendar.value ? (
          <calendar.value opener={button} value={isValidTime ? formatTime(value) : null} today={openedAt} onPick={acceptText} />
        ) : (
          cloneElement(button, { onClick: () => setIsCalendarNeeded(true) })
        )}
      </div>
      <FailedChunk {...calendar} />
      {props.required && (
        <Button look="ghost" onClick={() => acceptText(formatTime(new Date().toISOString()))}>
          {t('form.now')}
        </Button>
      )}
      <output className="text-meta tabular-nums" data-understood>
        {interpretedTime}
      </output>
      <span className="text-meta text-2">{t('form.zone', { zone: timeZone })}</span>
    </div>
  );
}
