import { useState } from 'react';
import { parseAmount, plainAmount, toBaseUnits } from '../../amount.ts';
import { groupDigits } from '../../format.ts';
import { locale } from '../../i18n/i18n.ts';
import { lineClass, tied } from './controls.tsx';
import type { ControlProps } from './field-view.ts';

const places = 8;
const unit = ' BTC';

/** What a form holds for what was typed: satoshi; where that is no amount, the text marked as such, so that no rule takes it for satoshi. */
function heldFor(typed: string): string {
  const text = typed.trim();
  if (text === '') return '';
  const satoshi = parseAmount(text.startsWith('.') ? `0${text}` : text, places);
  return satoshi === null ? `${text}${unit}` : satoshi.toString();
}

/** What is held as it is typed: '150000000' is '1.5'. */
export function btcTyped(held: string): string {
  const satoshi = toBaseUnits(held);
  return satoshi === null ? held.replace(unit, '') : plainAmount(satoshi, places);
}

/** An amount in bitcoin, read back in satoshi, so that a misplaced point is seen. */
export function BtcField(props: ControlProps<string>) {
  const [typed, setTyped] = useState('');
  const shown = heldFor(typed) === props.value ? typed : btcTyped(props.value);
  const satoshi = toBaseUnits(props.value);
  return (
    <div className="relative">
      <input
        {...tied(props)}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        dir="ltr"
        className={`${lineClass} pe-44 tabular-nums`}
        value={shown}
        onChange={({ target }) => {
          setTyped(target.value);
          props.onChange(heldFor(target.value));
        }}
      />
      <output
        htmlFor={props.id}
        className="pointer-events-none absolute inset-y-0 end-2 flex items-center text-meta text-2 tabular-nums"
      >
        {satoshi === null ? 'BTC' : `BTC · ${groupDigits(satoshi, locale())} sat`}
      </output>
    </div>
  );
}
