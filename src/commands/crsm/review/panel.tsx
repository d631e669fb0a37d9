import { useMemo } from 'react';
import { computeEffect, parseCrsmFigures, parseCrsmParams, type CrsmEffect } from '../../../../api/crsm/effects.ts';
import { crsmActions, noDebtRatio, type CrsmAction } from '../../../../api/crsm/values.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { valueText } from '../../../lib/format.ts';
import type { Target } from '../../../lib/scope.ts';
import { Amount, Percent } from '../../../lib/money/amount.tsx';
import type { FormValues } from '../../../lib/ui/form/field-view.ts';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { ChangesTable, type Change } from '../../ui/dialogs/changes-table.tsx';
import type { PanelProps } from '../../ui/dialogs/panel-props.ts';
import { ChecksumHint } from '../../ui/dialogs/checksum-hint.tsx';

type Figure = keyof CrsmEffect;
const figureNames = [
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
const debtFigures = new Set<Figure>([
  'debt',
  'liquidationPrice',
  'triggerPrice',
  'debtGasCompensation',
  'pendingDebtGasCompensation',
]);
const alwaysShownFigures = new Set<Figure>(['deposits', 'icr', 'liquidationPrice']);

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
  const currentEffect = useMemo(() => effectFor('claimAllCollateralGains', row, { to: '0x' }), [row]);
  const displayedEffect = effect ?? currentEffect;
  const gains = action === 'claimAllCollateralGains' && target.entity === 'crsms' ? target.row.collateralGains : [];
  const changes: Change[] = [
    ...figureNames
      .filter((name) => alwaysShownFigures.has(name) || (effect !== null && effect[name].before !== effect[name].after))
      .flatMap((name) => (displayedEffect ? [changeOf(name, displayedEffect[name], effect !== null)] : [])),
    ...gains.map(({ token, symbol, amount }) => ({
      key: token,
      figure: 'collateralGains',
      label: `${t('crsm.effect.collateralGains')} · ${symbol}`,
      before: <Amount value={amount} places={18} show={8} unit={symbol} alone />,
      after: <Amount value="0" places={18} show={8} unit={symbol} />,
    })),
  ];
  return (
    <section aria-label={t('crsm.effect.title')} className="flex flex-col gap-1">
      {named && <p className="text-body font-medium break-all">{target.name}</p>}
      <ChangesTable of={changes} />
      <p className="text-meta text-2">
        {effect === null ? t('crsm.effect.type') : t('crsm.effect.asOf', { block: row.block })} · <TimeText iso={row.at} />
      </p>
    </section>
  );
}

function changeOf(name: Figure, { before, after }: CrsmEffect[Figure], isKnown: boolean): Change {
  const isChanged = isKnown && before !== after;
  return {
    key: name,
    figure: name,
    label: t(`crsm.effect.${name}`),
    before: <Value name={name} value={before} />,
    after: !isKnown ? '—' : isChanged ? <Value name={name} value={after} /> : t('crsm.effect.same'),
    isChanged,
  };
}

function Value({ name, value }: { name: Figure; value: bigint }) {
  if (name === 'icr') return <Percent value={String(value > noDebtRatio ? noDebtRatio : value)} alone />;
  return <Amount value={String(value)} places={18} show={4} round={debtFigures.has(name) ? 'up' : 'down'} unit="YU" alone />;
}

/** Null: the numbers are incomplete, or the figures can't cover them. */
function effectFor(action: CrsmAction, row: EffectProps['target']['row'], values: FormValues): CrsmEffect | null {
  const texts = Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : ''] as const);
  if (texts.some(([name, value]) => name !== 'to' && !/^\d+$/.test(value))) return null;
  const isInputNeeded = action === 'acceptDebtGasCompensation' || texts.length > 0;
  if (!isInputNeeded) return null;
  try {
    return computeEffect(action, parseCrsmFigures(row), parseCrsmParams(action, Object.fromEntries(texts)));
  } catch {
    return null;
  }
}
