import { useEffect, useState } from 'react';
import { formatUnits, parseUnits, toBaseUnits } from '../../../../api/money.ts';
import { amountParts, roundedText, type Rounding } from '../../money/amount-text.ts';
import { groupDigits, withUnit } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { joinList } from '../../i18n/punctuation.ts';
import { Button } from '../button.tsx';
import { lineClass } from './line-class.ts';
import { fieldAttributes } from './field-attributes.tsx';
import type { ControlProps, FormValues, Units, UnitsRange } from './field-view.ts';
import { normalizeUnits } from './input-text.ts';

/** Base units, or marked text that no rule accepts as an amount. */
export function toBaseUnitsText(typed: string, { unit, decimals }: Units): string {
  const text = typed.trim();
  if (text === '') return '';
  const base = parseUnits(normalizeUnits(text), decimals);
  return base === null ? `${text} ${unit}` : base.toString();
}

/** '150000000' of BTC is '1.5', '1500000000000000000' of % is '150'. */
export function toInputText(stored: string, { unit, decimals }: Units): string {
  const base = toBaseUnits(stored);
  return base === null ? stored.replace(` ${unit}`, '') : formatUnits(base, decimals);
}

interface UnitsFieldProps extends ControlProps<string> {
  units: Units;
  range: ((values: FormValues, signal: AbortSignal) => Promise<UnitsRange | null>) | undefined;
  values: FormValues;
}

/** Exact. Repeats the amount to reveal a misplaced point. */
export function UnitsField({ units, range: rangeFor, values, ...props }: UnitsFieldProps) {
  const [typed, setTyped] = useState('');
  const range = useRange(rangeFor, values);
  const shown = toBaseUnitsText(typed, units) === props.value ? typed : toInputText(props.value, units);
  const rangeId = `${props.id}-range`;
  const describedBy = [props.describedBy, range && rangeId].filter(Boolean).join(' ') || undefined;
  // No "Max" button for percentages.
  const max = units.unit === '%' || range?.below ? null : range?.most;
  return (
    <>
      <div className="relative">
        <input
          {...fieldAttributes({ ...props, describedBy })}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
          className={`${lineClass} ${units.unit === '%' ? 'pe-24' : 'pe-44'} tabular-nums`}
          value={shown}
          onChange={({ target }) => {
            setTyped(target.value);
            props.onChange(toBaseUnitsText(target.value, units));
          }}
        />
        <output
          htmlFor={props.id}
          className="pointer-events-none absolute inset-y-0 end-2 flex items-center text-meta text-2 tabular-nums"
        >
          {amountReadout(toBaseUnits(props.value), units)}
        </output>
      </div>
      {range && (
        <div className="flex min-h-6 flex-wrap items-center gap-x-2 text-meta text-2 tabular-nums">
          <span id={rangeId}>{rangeText(range, units)}</span>
          {max != null && (
            <Button
              look="ghost"
              aria-label={t('form.takeMost', { amount: formatUnits(BigInt(max), units.decimals), unit: units.unit })}
              className="h-6! px-1.5!"
              onClick={() => props.onChange(max)}
            >
              {t('form.most')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function amountReadout(base: bigint | null, { unit, decimals }: Units): string {
  if (base === null) return unit;
  if (unit === 'BTC') return `BTC · ${groupDigits(base)} sat`;
  return amountParts(base, decimals).whole.length < 5
    ? unit
    : withUnit(roundedText(base, decimals, displayDecimals(unit), 'down'), unit);
}

const displayDecimals = (unit: string): number => (unit === '%' ? 2 : unit === 'BTC' ? 8 : 6);

/** `> 110%, ≤ 10,000%`, rounded inward. */
function rangeText({ least, above, most, below }: UnitsRange, { unit, decimals }: Units): string {
  const bound = (sign: string, base: string, to: Rounding) =>
    `${sign} ${withUnit(roundedText(BigInt(base), decimals, displayDecimals(unit), to), unit)}`;
  const bounds = [bound(above ? '>' : '≥', least, 'up'), ...(most === null ? [] : [bound(below ? '<' : '≤', most, 'down')])];
  return t('form.range', { bounds: joinList(bounds) });
}

/** Null without a response, since the schema validates anyway. */
function useRange(rangeFor: UnitsFieldProps['range'], values: FormValues): UnitsRange | null {
  const [range, setRange] = useState<UnitsRange | null>(null);
  const stored = JSON.stringify(values);
  useEffect(() => {
    const stop = new AbortController();
    rangeFor?.(JSON.parse(stored) as FormValues, stop.signal).then(
      (found) => !stop.signal.aborted && setRange(found),
      () => !stop.signal.aborted && setRange(null),
    );
    return () => stop.abort();
    // `rangeFor` is new at each render, but its result depends only on the values
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [stored]);
  return range;
}
