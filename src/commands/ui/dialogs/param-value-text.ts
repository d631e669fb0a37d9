import { formatTime, groupDigits, valueText, withUnit } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import { toInputText } from '../../../lib/ui/form/units-field.tsx';
import type { ParamField } from '../../engine/fields.ts';

export function paramValueText(field: ParamField, value: unknown): string {
  if (field.as === 'secret') return '••••';
  if (field.as === 'tree' && Array.isArray(value)) return t('form.treeCount', { count: value.length });
  const text = valueText(value);
  if (text === '') return '—';
  if (field.as === 'units') return withUnit(toInputText(text, field), field.unit);
  if (field.as === 'choice') {
    const option = field.options.find((candidate) => candidate.value === value);
    return option ? t(option.label) : text;
  }
  if (field.as === 'bands') return bandRangesText(text);
  if (field.as === 'flag' && typeof value === 'boolean') return t(value ? 'form.yes' : 'form.no');
  if (field.as === 'time') return formatTime(text);
  return field.as === 'number' && /^-?\d+$/.test(text) ? groupDigits(BigInt(text)) : text;
}

/** The ranges of a band list (lib/authority/bands.ts), without its technical columns. */
const bandRangesText = (text: string): string =>
  joinList(
    text.split('\n').flatMap((line) => {
      const [from = '', below = ''] = line.split('|').map((part) => part.trim());
      return from === '' ? [] : [below === '' ? `≥ ${from} BTC` : `${from} – ${below} BTC`];
    }),
  );
