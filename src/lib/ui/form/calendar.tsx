import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { locale, t } from '../../i18n/i18n.ts';
import { IconButton } from '../button.tsx';

export interface CalendarProps {
  /** In the viewer's zone. */
  day: Date;
  onPick: (day: Date) => void;
}

const dayOf = (date: Date, days: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
/** The same day of another month, or its last day. */
function monthOf(date: Date, months: number): Date {
  const last = new Date(date.getFullYear(), date.getMonth() + months + 1, 0).getDate();
  return new Date(date.getFullYear(), date.getMonth() + months, Math.min(date.getDate(), last));
}
const mondayBefore = (date: Date) => dayOf(date, -((date.getDay() + 6) % 7));
const padTwo = (number: number) => String(number).padStart(2, '0');
const monthText = (date: Date) => `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}`;
const dayText = (date: Date) => `${monthText(date)}-${padTwo(date.getDate())}`;

/** Arrows, Page Up and Page Down, Home, End and Enter. */
export function Calendar({ day, onPick }: CalendarProps) {
  const [at, setAt] = useState(() => dayOf(day, 0));
  const current = useRef<HTMLButtonElement>(null);
  useEffect(() => current.current?.focus(), [at]);

  function onKeyDown(event: KeyboardEvent) {
    const back = document.dir === 'rtl' ? 1 : -1;
    const moves: Readonly<Record<string, () => Date>> = {
      ArrowLeft: () => dayOf(at, back),
      ArrowRight: () => dayOf(at, -back),
      ArrowUp: () => dayOf(at, -7),
      ArrowDown: () => dayOf(at, 7),
      Home: () => mondayBefore(at),
      End: () => dayOf(mondayBefore(at), 6),
      PageUp: () => monthOf(at, -1),
      PageDown: () => monthOf(at, 1),
    };
    if (event.key === 'Escape') return;
    event.stopPropagation();
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    setAt(to());
  }
  const first = mondayBefore(new Date(at.getFullYear(), at.getMonth(), 1));
  const weekday = new Intl.DateTimeFormat(locale(), { weekday: 'narrow' });
  const whole = new Intl.DateTimeFormat(locale(), { weekday: 'long' });
  return (
    <div onKeyDown={onKeyDown}>
      <div className="flex items-center justify-between">
        <IconButton
          label={t('form.monthBefore')}
          icon={<ChevronLeft size={14} aria-hidden="true" className="rtl:rotate-180" />}
          onClick={() => setAt(monthOf(at, -1))}
        />
        <span role="status" className="text-body font-medium tabular-nums">
          {monthText(at)}
        </span>
        <IconButton
          label={t('form.monthAfter')}
          icon={<ChevronRight size={14} aria-hidden="true" className="rtl:rotate-180" />}
          onClick={() => setAt(monthOf(at, 1))}
        />
      </div>
      <table className="text-body tabular-nums">
        <thead className="text-meta text-2">
          <tr>
            {Array.from({ length: 7 }, (_, index) => dayOf(first, index)).map((date) => (
              <th key={date.getDay()} scope="col" abbr={whole.format(date)} className="h-7 w-8 text-center font-medium">
                {weekday.format(date)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 6 }, (_, week) => (
            <tr key={week}>
              {Array.from({ length: 7 }, (__, index) => dayOf(first, week * 7 + index)).map((date) => {
                const isAt = dayText(date) === dayText(at);
                return (
                  <td key={dayText(date)} className="p-0">
                    <button
                      ref={isAt ? current : undefined}
                      type="button"
                      tabIndex={isAt ? 0 : -1}
                      aria-label={dayText(date)}
                      aria-current={dayText(date) === dayText(day) ? 'date' : undefined}
                      className={`h-8 w-8 rounded-control hover:bg-layer-hover aria-[current=date]:bg-layer-selected aria-[current=date]:font-medium pointer-coarse:h-11 pointer-coarse:w-11 ${
                        date.getMonth() === at.getMonth() ? 'text-1' : 'text-2'
                      }`}
                      onClick={() => onPick(date)}
                    >
                      {date.getDate()}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
