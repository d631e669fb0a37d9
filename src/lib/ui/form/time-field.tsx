import { CalendarClock } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatTime, parseLocalTime, zoneName } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { Button, IconButton } from '../button.tsx';
import { lineClass, tied } from './controls.tsx';
import type { ControlProps } from './field-view.ts';

/** What stands in the line for a value: a time in this zone, or what was typed and is none. */
const shown = (value: string) => (value === '' ? '' : formatTime(value));

/** A time typed as `YYYY-MM-DD HH:mm` or picked; the zone is named, the value is ISO-8601 UTC. */
export function TimeField(props: ControlProps<string>) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState(() => shown(value));
  const [sent, setSent] = useState(value);
  const picker = useRef<HTMLInputElement>(null);
  if (value !== sent) {
    setSent(value);
    setTyped(shown(value));
  }
  function take(text: string) {
    const next = parseLocalTime(text) ?? text; // what is no time goes on as it is, for the rules to say so
    setTyped(text);
    setSent(next);
    onChange(next);
  }
  const [opened] = useState(() => new Date());
  const at = new Date(value);
  const zone = zoneName(Number.isNaN(at.getTime()) ? opened : at);
  const local = Number.isNaN(at.getTime()) ? '' : formatTime(value).replace(' ', 'T');
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
        <input
          ref={picker}
          type="datetime-local"
          tabIndex={-1}
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 h-full w-full opacity-0"
          value={local}
          onChange={({ target }) => target.value !== '' && take(target.value.slice(0, 16).replace('T', ' '))}
        />
        <IconButton
          label={t('form.pickTime')}
          icon={<CalendarClock size={14} aria-hidden="true" />}
          className="absolute inset-y-0 end-0.5 my-auto h-6! w-7!"
          onClick={() => picker.current?.showPicker()}
        />
      </div>
      <Button look="ghost" onClick={() => take(formatTime(new Date().toISOString()))}>
        {t('form.now')}
      </Button>
      <span className="text-meta text-2">{t('form.zone', { zone })}</span>
    </div>
  );
}
