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
export function toBaseUnitsText(enteredText: string, { unit, decimals }: Units): string {
  const text = enteredText.trim();
  if (text === '') return '';
  const baseUnits = parseUnits(normalizeUnits(text), decimals);
  return baseUnits === null ? `${text} ${unit}` : baseUnits.toString();
}

/** '150000000' of BTC is '1.5', '1500000000000000000' of % is '150'. */
export function toInputText(storedText: string, { unit, decimals }: Units): string {
  const baseUnits = toBaseUnits(storedText);
  return baseUnits === null ? storedText.replace(` ${unit}`, '') : formatUnits(baseUnits, decimals);
}

interface UnitsFieldProps extends ControlProps<string> {
  units: Units;
  range: ((values: FormValues, signal: AbortSignal) => Promise<UnitsRange | null>) | undefined;
  values: FormValues;
}

/** Exact. Repeats the amount to reveal a misplaced point. */
export function UnitsField({ units, range: loadRange, values, ...props }: UnitsFieldProps) {
  const [enteredText, setEnteredText] = useState('');
  const range = useRange(loadRange, values);
  const shownText = toBaseUnitsText(enteredText, units) === props.value ? enteredText : toInputText(props.value, units);
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
          value={shownText}
          onChange={({ target }) => {
            setEnteredText(target.value);
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

function amountReadout(baseUnits: bigint | null, { unit, decimals }: Units): string {
  if (baseUnits === null) return unit;
  if (unit === 'BTC') return `BTC · ${groupDigits(baseUnits)} sat`;
  return amountParts(baseUnits, decimals).whole.length < 5
    ? unit
    : withUnit(roundedText(baseUnits, decimals, displayDecimals(unit), 'down'), unit);
}

const displayDecimals = (unit: string): number => (unit === '%' ? 2 : unit === 'BTC' ? 8 : 6);

/** `> 110%, ≤ 10,000%`, rounded inward. */
function rangeText({ least, above, most, below }: UnitsRange, { unit, decimals }: Units): string {
  const formatBound = (comparison: string, baseUnits: string, rounding: Rounding) =>
    `${comparison} ${withUnit(roundedText(BigInt(baseUnits), decimals, displayDecimals(unit), rounding), unit)}`;
  const bounds = [
    formatBound(above ? '>' : '≥', least, 'up'),
    ...(most === null ? [] : [formatBound(below ? '<' : '≤', most, 'down')]),
  ];
  return t('form.range', { bounds: joinList(bounds) });
}

/** Null without a response, since the schema validates anyway. */
function useRange(loadRange: UnitsFieldProps['range'], values: FormValues): UnitsRange | null {
  const [range, setRange] = useState<UnitsRange | null>(null);
  const storedText = JSON.stringify(values);
  useEffect(() => {
    const abortController = new AbortController();
    loadRange?.(JSON.parse(storedText) as FormValues, abortController.signal).then(
      (loadedRange) => !abortController.signal.aborted && setRange(loadedRange),
      () => !abortController.signal.aborted && setRange(null),
    );
    return () => abortController.abort();
    // `loadRange` is new at each render, but its result depends only on the values
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [storedText]);
  return range;
}
