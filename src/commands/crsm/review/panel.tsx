import { useMemo } from 'react';
import { effectOf, crsmFigures, paramsOf, type CrsmEffect } from '../../../../api/crsm/effects.ts';
import { crsmActions, noDebtRatio, type CrsmAction } from '../../../../api/crsm/values.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { valueText } from '../../../lib/format.ts';
import type { Target } from '../../../lib/scope.ts';
import { Amount, Percent } from '../../../lib/money/amount.tsx';
import type { FormValues } from '../../../lib/ui/form/field-view.ts';
import { Time } from '../../../lib/ui/value/time.tsx';
import type { PanelProps } from '../../ui/dialogs/panel-props.ts';
import { ChecksumHint } from '../../ui/dialogs/checksum-hint.tsx';

type Figure = keyof CrsmEffect;
const figures = [
  'deposits',
  'idle',
  'yieldGains',
  'debt',
  'icr',
  'liquidationPrice',
  'triggerPrice',
  'debtGasCompensation',
  'pendingDebtGasCompensation',
] as const satisfies readonly Figure[];
const owed = new Set<Figure>(['debt', 'liquidationPrice', 'triggerPrice', 'debtGasCompensation', 'pendingDebtGasCompensation']);
const always = new Set<Figure>(['deposits', 'icr', 'liquidationPrice']);

export function CrsmPanel({ command, targets, values, params }: PanelProps) {
  const action = crsmActions.find((name) => command === `crsm.${name}`);
  const crsmTargets = targets.filter((target) => target.entity === 'crsms' || target.entity === 'positions');
  if (!action || crsmTargets.length === 0) return null;
  return (
    <div data-effects className={`flex flex-col gap-4 py-1 ${crsmTargets.length > 1 ? 'max-h-80 overflow-y-auto' : ''}`}>
      {crsmTargets.map((target) => (
        <Effect key={target.id} action={action} target={target} told={params ?? values ?? {}} named={params !== null} />
      ))}
      {values && <ChecksumHint typed={valueText(values['to']).trim()} />}
    </div>
  );
}

interface EffectProps {
  action: CrsmAction;
  target: Target<'crsms'> | Target<'positions'>;
  told: FormValues;
  named: boolean;
}

function Effect({ action, target, told, named }: EffectProps) {
  const { row } = target;
  const effect = useMemo(() => effectFor(action, row, told), [action, row, told]);
  const before = useMemo(() => effectFor('claimAllCollateralGains', row, { to: '0x' }), [row]);
  const shown = effect ?? before;
  const gains = target.entity === 'crsms' ? target.row.collateralGains : [];
  return (
    <section aria-label={t('crsm.effect.title')} className="flex flex-col gap-1">
      {named && <p className="text-body font-medium break-all">{target.name}</p>}
      <table className="w-full text-body tabular-nums">
        <thead>
          <tr className="text-meta text-2">
            <th scope="col" className="py-1 text-start font-medium">
              {t('crsm.effect.figure')}
            </th>
            <th scope="col" className="py-1 text-end font-medium">
              {t('crsm.effect.before')}
            </th>
            <th scope="col" className="py-1 ps-4 text-end font-medium">
              {t('crsm.effect.after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown &&
            figures
              .filter((name) => always.has(name) || (effect !== null && effect[name].before !== effect[name].after))
              .map((name) => <Line key={name} name={name} {...shown[name]} isKnown={effect !== null} />)}
          {action === 'claimAllCollateralGains' &&
            gains.map(({ token, symbol, amount }) => (
              <tr key={token} data-figure="collateralGains" className="border-t border-hairline">
                <th scope="row" className="py-1 text-start font-regular text-2">
                  {t('crsm.effect.collateralGains')} · {symbol}
                </th>
                <td className="py-1 text-end">
                  <Amount value={amount} places={18} show={8} unit={symbol} alone />
                </td>
                <td className="py-1 ps-4 text-end font-medium">
                  <Amount value="0" places={18} show={8} unit={symbol} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      <p className="text-meta text-2">
        {effect === null ? t('crsm.effect.type') : t('crsm.effect.asOf', { block: row.block })} · <Time iso={row.at} />
      </p>
    </section>
  );
}

function Line({ name, before, after, isKnown }: { name: Figure; before: bigint; after: bigint; isKnown: boolean }) {
  const changes = isKnown && before !== after;
  return (
    <tr data-figure={name} data-changes={changes || undefined} className="border-t border-hairline">
      <th scope="row" className="py-1 text-start font-regular text-2">
        {t(`crsm.effect.${name}`)}
      </th>
      <td className="py-1 text-end">
        <Value name={name} value={before} />
      </td>
      <td className={`py-1 ps-4 text-end ${changes ? 'font-medium' : 'text-2'}`}>
        {!isKnown ? '—' : changes ? <Value name={name} value={after} /> : t('crsm.effect.same')}
      </td>
    </tr>
  );
}

function Value({ name, value }: { name: Figure; value: bigint }) {
  if (name === 'icr') return <Percent value={String(value > noDebtRatio ? noDebtRatio : value)} alone />;
  return <Amount value={String(value)} places={18} show={4} round={owed.has(name) ? 'up' : 'down'} unit="YU" alone />;
}

/** Null: the numbers are incomplete, or the figures can't cover them. */
function effectFor(action: CrsmAction, row: EffectProps['target']['row'], values: FormValues): CrsmEffect | null {
  const texts = Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : ''] as const);
  if (texts.some(([name, value]) => name !== 'to' && !/^\d+$/.test(value))) return null;
  const needed = action === 'acceptDebtGasCompensation' || texts.length > 0;
  if (!needed) return null;
  try {
    return effectOf(action, crsmFigures(row), paramsOf(action, Object.fromEntries(texts)));
  } catch {
    return null;
  }
}
