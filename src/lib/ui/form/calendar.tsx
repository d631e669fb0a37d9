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

const addDays = (date: Date, days: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
/** The same day of another month, or its last day. */
function addMonths(date: Date, months: number): Date {
  const lastDay = new Date(date.getFullYear(), date.getMonth() + months + 1, 0).getDate();
  return new Date(date.getFullYear(), date.getMonth() + months, Math.min(date.getDate(), lastDay));
}
const startOfWeek = (date: Date) => addDays(date, -((date.getDay() + 6) % 7));
const padTwo = (number: number) => String(number).padStart(2, '0');
const monthText = (date: Date) => `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}`;
const dayText = (date: Date) => `${monthText(date)}-${padTwo(date.getDate())}`;

/** Arrows, Page Up and Page Down, Home, End and Enter. */
export function Calendar({ day, onPick }: CalendarProps) {
  const [focusedDay, setFocusedDay] = useState(() => addDays(day, 0));
  const focusedButton = useRef<HTMLButtonElement>(null);
  useEffect(() => focusedButton.current?.focus(), [focusedDay]);

  function onKeyDown(event: KeyboardEvent) {
    const backwardStep = document.dir === 'rtl' ? 1 : -1;
    const targetsByKey: Readonly<Record<string, () => Date>> = {
      ArrowLeft: () => addDays(focusedDay, backwardStep),
      ArrowRight: () => addDays(focusedDay, -backwardStep),
      ArrowUp: () => addDays(focusedDay, -7),
      ArrowDown: () => addDays(focusedDay, 7),
      Home: () => startOfWeek(focusedDay),
      End: () => addDays(startOfWeek(focusedDay), 6),
      PageUp: () => addMonths(focusedDay, -1),
      PageDown: () => addMonths(focusedDay, 1),
    };
    if (event.key === 'Escape') return;
    event.stopPropagation();
    const getTarget = targetsByKey[event.key];
    if (!getTarget) return;
    event.preventDefault();
    setFocusedDay(getTarget());
  }
  const firstDay = startOfWeek(new Date(focusedDay.getFullYear(), focusedDay.getMonth(), 1));
  const narrowWeekday = new Intl.DateTimeFormat(locale(), { weekday: 'narrow' });
  const fullWeekday = new Intl.DateTimeFormat(locale(), { weekday: 'long' });
  return (
    <div onKeyDown={onKeyDown}>
      <div className="flex items-center justify-between">
        <IconButton
          label={t('form.monthBefore')}
          icon={<ChevronLeft size={14} aria-hidden="true" className="rtl:rotate-180" />}
          onClick={() => setFocusedDay(addMonths(focusedDay, -1))}
        />
        <span role="status" className="text-body font-medium tabular-nums">
          {monthText(focusedDay)}
        </span>
        <IconButton
          label={t('form.monthAfter')}
          icon={<ChevronRight size={14} aria-hidden="true" className="rtl:rotate-180" />}
          onClick={() => setFocusedDay(addMonths(focusedDay, 1))}
        />
      </div>
      <table className="text-body tabular-nums">
        <thead className="text-meta text-2">
          <tr>
            {Array.from({ length: 7 }, (_, index) => addDays(firstDay, index)).map((date) => (
              <th key={date.getDay()} scope="col" abbr={fullWeekday.format(date)} className="h-7 w-8 text-center font-medium">
                {narrowWeekday.format(date)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 6 }, (_, week) => (
            <tr key={week}>
              {Array.from({ length: 7 }, (__, index) => addDays(firstDay, week * 7 + index)).map((date) => {
                const isFocusedDay = dayText(date) === dayText(focusedDay);
                return (
                  <td key={dayText(date)} className="p-0">
                    <button
                      ref={isFocusedDay ? focusedButton : undefined}
                      type="button"
                      tabIndex={isFocusedDay ? 0 : -1}
                      aria-label={dayText(date)}
                      aria-current={dayText(date) === dayText(day) ? 'date' : undefined}
                      className={`h-8 w-8 rounded-control hover:bg-layer-hover aria-[current=date]:bg-layer-selected aria-[current=date]:font-medium pointer-coarse:h-11 pointer-coarse:w-11 ${
                        date.getMonth() === focusedDay.getMonth() ? 'text-1' : 'text-2'
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
