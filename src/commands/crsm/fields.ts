import {
  parseCrsmParams,
  parseCrsmFigures,
  computeAllowedRange,
  type CrsmParams,
  type CrsmRange,
  type CrsmState,
} from '../../../api/crsm/effects.ts';
import { findRatioOutOfOrder, type CrsmAction } from '../../../api/crsm/values.ts';
import type { FieldIssue } from '../../../api/errors.ts';
import type { Api } from '../../lib/net/client.ts';
import type { TextKey } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';
import type { UnitsRange } from '../../lib/ui/form/field-view.ts';
import type { ParamField, FieldContext, ParamValues } from '../engine/fields.ts';
import { readYuBalance, readMinDebt } from './requests.ts';

type Ratio = 'TRGCR' | 'TARCR' | 'MAX_TARCR';
const ratioNames = ['TRGCR', 'TARCR', 'MAX_TARCR'] as const;

async function readStateOf(action: CrsmAction, api: Api, target: Target | undefined): Promise<CrsmState | null> {
  if (target?.entity !== 'crsms' && target?.entity !== 'positions') return null;
  const isPaidFromWallet = action === 'create' || action === 'deposit';
  const [balance, minDebt] = await Promise.all([
    isPaidFromWallet ? readYuBalance(api) : 0n,
    action === 'repay' ? readMinDebt(api, target.id) : 0n,
  ]);
  return { ...parseCrsmFigures(target.row), balance, minDebt, allowance: null };
}

const chosenRatios = (values: Readonly<ParamValues>): Partial<Record<Ratio, bigint>> =>
  Object.fromEntries(
    ratioNames.flatMap((name) => {
      const value = values[name];
      return typeof value === 'string' && /^\d+$/.test(value) ? [[name, BigInt(value)]] : [];
    }),
  );

/** Null: the form shows no bound. */
async function rangeFor(
  action: CrsmAction,
  name: string,
  { api, targets: [target], values }: FieldContext & { values: Readonly<ParamValues> },
): Promise<UnitsRange | null> {
  const state = await readStateOf(action, api, target);
  const { [name as Ratio]: _, ...others } = chosenRatios(values);
  const range = state && computeAllowedRange(action, name as keyof CrsmParams[typeof action], state, others);
  if (!range || range.min > range.max) return null;
  const { min, max, limit } = range;
  // A bound one unit off a round number is that number, exclusive.
  const isAbove = min % 10n ** 12n === 1n;
  const isBelow = limit === 'ratio' && (max + 1n) % 10n ** 12n === 0n;
  return {
    least: String(isAbove ? min - 1n : min),
    ...(isAbove && { above: true }),
    most: limit === null ? null : String(isBelow ? max + 1n : max),
    ...(isBelow && { below: true }),
  };
}

export const yuField = (action: CrsmAction, name: string, label: TextKey, hint: TextKey): ParamField => ({
  as: 'units',
  unit: 'YU',
  decimals: 18,
  label,
  hint,
  range: (context) => rangeFor(action, name, context),
});

/** 150 is 1.5e18. */
export const ratioField = (action: CrsmAction, name: Ratio): ParamField => ({
  as: 'units',
  unit: '%',
  decimals: 16,
  label: `crsm.field.${name}`,
  hint: `crsm.hint.${name}`,
  range: (context) => rangeFor(action, name, context),
});

const fundLimits: ReadonlySet<CrsmRange['limit']> = new Set(['balance', 'deposits', 'idle', 'funds']);

/** Unreadable state is left to the server and the contract. */
export const buildCheck =
  (action: CrsmAction) =>
  async (values: object, { api, targets: [target] }: { api: Api; targets: readonly Target[] }): Promise<FieldIssue[]> => {
    const fieldValues = values as Readonly<Record<string, string>>;
    const state = await readStateOf(action, api, target).catch(() => null);
    if (!state)
      return target && 'TRGCR' in fieldValues ? orderIssues(fieldValues, parseCrsmFigures(target.row as never).MCR) : [];
    const issues = 'TRGCR' in fieldValues ? orderIssues(fieldValues, state.MCR) : [];
    const range = 'amount' in fieldValues && computeAllowedRange(action, 'amount' as never, state);
    const amount = (parseCrsmParams(action, fieldValues) as { amount?: bigint }).amount ?? 0n;
    if (range && amount > range.max) issues.push({ path: 'amount', rule: fundLimits.has(range.limit) ? 'balance' : 'range' });
    else if (range && amount < range.min) issues.push({ path: 'amount', rule: 'range' });
    return issues;
  };

function orderIssues(fieldValues: Readonly<Record<string, string>>, MCR: bigint): FieldIssue[] {
  const { TRGCR = 0n, TARCR = 0n, MAX_TARCR = 0n } = chosenRatios(fieldValues);
  const path = findRatioOutOfOrder({ MCR, TRGCR, TARCR, MAX_TARCR });
  return path === null ? [] : [{ path, rule: 'ratioOrder' }];
}
