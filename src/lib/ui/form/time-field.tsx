import CalendarClock from 'lucide-react/icons/calendar-clock';
import { cloneElement, useState } from 'react';
import { chunk } from '../../chunks/loader.ts';
import { useChunk } from '../../chunks/use-chunk.ts';
import { formatTime, zoneName } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { Button, IconButton } from '../button.tsx';
import { FailedPart } from '../failed-part.tsx';
import { lineClass } from './line-class.ts';
import { tied } from './tied.tsx';
import type { ControlProps } from './field-view.ts';
import { heldTime, shownTime } from './typed.ts';

const calendarChunk = chunk(() => import('./calendar-popover.tsx').then(({ CalendarPopover }) => CalendarPopover));

/** Typed as `YYYY-MM-DD HH:mm` or picked. The value is ISO-8601 UTC. */
export function TimeField(props: ControlProps<string>) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState(() => shownTime(value));
  const [sent, setSent] = useState(value);
  const [isAsked, setAsked] = useState(false);
  const calendar = useChunk(calendarChunk, isAsked);
  if (value !== sent) {
    setSent(value);
    setTyped(shownTime(value));
  }
  function take(text: string) {
    const next = heldTime(text);
    setTyped(text);
    setSent(next);
    onChange(next);
  }
  const [opened] = useState(() => new Date());
  const at = new Date(value);
  const zone = zoneName(Number.isNaN(at.getTime()) ? opened : at);
  /** Keeps the time of day. */
  function pick(day: Date) {
    const time = Number.isNaN(at.getTime()) ? '00:00' : formatTime(value).slice(11);
    take(`${formatTime(day.toISOString()).slice(0, 10)} ${time}`);
  }
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
      <div dir="ltr" className="relative w-44 pointer-coarse:w-54">
        <input
          {...tied(props)}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          spellCheck={false}
          placeholder="YYYY-MM-DD HH:mm"
          className={`${lineClass} pe-9 tabular-nums`}
          value={typed}
          onChange={({ target }) => take(target.value)}
        />
        {isAsked && calendar.value ? (
          <calendar.value opener={button} day={Number.isNaN(at.getTime()) ? opened : at} onPick={pick} />
        ) : (
          cloneElement(button, { onClick: () => setAsked(true) })
        )}
      </div>
      <FailedPart {...calendar} />
      <Button look="ghost" onClick={() => take(formatTime(new Date().toISOString()))}>
        {t('form.now')}
      </Button>
      <span className="text-meta text-2">{t('form.zone', { zone })}</span>
    </div>
  );
}
