import CalendarClock from 'lucide-react/icons/calendar-clock';
import { cloneElement, useRef, useState } from 'react';
import { createChunk } from '../../chunks/loader.ts';
import { useChunk } from '../../chunks/use-chunk.ts';
import { formatTime, zoneName } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { Button, IconButton } from '../button.tsx';
import { FailedPart } from '../failed-part.tsx';
import { lineClass } from './line-class.ts';
import { fieldAttributes } from './field-attributes.tsx';
import type { ControlProps } from './field-view.ts';
import { toStoredTime, toInputTime } from './input-text.ts';

const calendarChunk = createChunk(() => import('./calendar-popover.tsx').then(({ CalendarPopover }) => CalendarPopover));
const wordsChunk = createChunk(() => import('./natural-time.ts').then(({ naturalTime }) => naturalTime));

/** Typed as `YYYY-MM-DD HH:mm` or in words, or picked. The value is ISO-8601 UTC. */
export function TimeField(props: ControlProps<string>) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState(() => toInputTime(value));
  const [sent, setSent] = useState(value);
  const [isAsked, setAsked] = useState(false);
  const calendar = useChunk(calendarChunk, isAsked);
  if (value !== sent) {
    setSent(value);
    setTyped(toInputTime(value));
  }
  const latest = useRef(typed);
  function hold(next: string) {
    setSent(next);
    onChange(next);
  }
  function take(text: string) {
    latest.current = text;
    setTyped(text);
    const next = toStoredTime(text);
    hold(next);
    if (next === text) void takeWords(text);
  }
  /** Holds the moment that the words mean, and leaves the words in the field until it loses focus. */
  async function takeWords(text: string) {
    const naturalTime = await wordsChunk.load().catch(() => null);
    const moment = await naturalTime?.(text, new Date());
    if (moment && latest.current === text) hold(moment);
  }
  const [opened] = useState(() => new Date());
  const at = new Date(value);
  const zone = zoneName(Number.isNaN(at.getTime()) ? opened : at);
  const isTime = !Number.isNaN(at.getTime()) && value !== '';
  const understood = isTime && toInputTime(value) !== typed ? toInputTime(value) : null;
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
          value={typed}
          onChange={({ target }) => take(target.value)}
          onBlur={() => understood !== null && setTyped(understood)}
        />
        {isAsked && calendar.value ? (
          <calendar.value opener={button} value={isTime ? formatTime(value) : null} today={opened} onPick={take} />
        ) : (
          cloneElement(button, { onClick: () => setAsked(true) })
        )}
      </div>
      <FailedPart {...calendar} />
      {props.required && (
        <Button look="ghost" onClick={() => take(formatTime(new Date().toISOString()))}>
          {t('form.now')}
        </Button>
      )}
      <output className="text-meta tabular-nums" data-understood>
        {understood}
      </output>
      <span className="text-meta text-2">{t('form.zone', { zone })}</span>
    </div>
  );
}
