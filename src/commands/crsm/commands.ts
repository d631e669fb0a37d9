import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { crsmRefusals, type CrsmAction } from '../../../api/crsm/values.ts';
import { crsmNames } from '../../../api/crsm/names.ts';
import { runBatch, putBatchAway, type BatchRow, type BatchStep } from '../../lib/batch.ts';
import { ApiError, type Api } from '../../lib/net/client.ts';
import { clockText } from '../../lib/countdown.ts';
import { isStopped } from '../../lib/device/device-request.ts';
import { errorText } from '../../lib/net/errors.ts';
import type { Sent } from '../../lib/evm/contract-call.ts';
import { EvmError, type EvmProblem } from '../../lib/evm/problem.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { formatTime, shortenMiddle } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { amountText, exactPercentText } from '../../lib/money/amount-text.ts';
import { onEvm } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { Target } from '../../lib/scope.ts';
import { opening } from '../engine/crud.ts';
import { defineCommand, many, no, one, type Blocked, type Consequences, type Done, copies, only } from '../engine/define.ts';
import { CommandError } from '../engine/command-error.ts';
import { exploring } from '../engine/exploring.ts';
import { params, text } from '../engine/fields.ts';
import { reviewOf, sentBy, takeWish } from './calls.ts';
import { checkOf, percent, yu } from './fields.ts';
import { evmText, withWallet } from '../custody/shared/wallet-problem.ts';
import { targetOf } from '../engine/resource.ts';

addNames(crsmNames);

export const crsmTarget = targetOf('crsms', ({ id, tokenId }) => `CRSM #${tokenId} · ${id}`);
export const positionTarget = targetOf('positions', ({ troveId, owner }) => `#${troveId} · ${owner}`);

const place = '/CRSMTrove/CRSMList';
const positions = '/CRSMTrove/positionList';
const stale = ['crsms', 'positions'];
const most = 50;

const schemaOf =
  <A extends CrsmAction>(action: A) =>
  () =>
    import('../../../api/crsm/contract.ts').then(({ crsmFields }) => crsmFields[action]);

type Crsms = readonly Target<'crsms'>[];

const connected = (): true | Blocked => $evmWallet.get() !== null || no('evm.problem.none');

function owned(targets: readonly { row: { owner: string } }[]): true | Blocked {
  const wallet = $evmWallet.get();
  if (!wallet) return no('evm.problem.none');
  const other = targets.find(({ row }) => row.owner !== wallet.account);
  return other === undefined || no('crsm.blocked.notOwner', { owner: other.row.owner });
}

const all = (...verdicts: (true | Blocked)[]): true | Blocked => verdicts.find((verdict) => verdict !== true) ?? true;

const some = (targets: Crsms, has: (row: CrsmRow) => boolean, otherwise: Blocked): true | Blocked =>
  targets.length === 0 || targets.some(({ row }) => has(row)) || otherwise;

const hasYield = ({ yieldGains }: CrsmRow) => yieldGains !== '0';
const hasGains = ({ collateralGains }: CrsmRow) => collateralGains.some(({ amount }) => amount !== '0');

function mayAccept([target]: Crsms): true | Blocked {
  const { deadline } = target?.row ?? {};
  if (!target || deadline == null) return no('crsm.blocked.nothingPending');
  const left = Math.ceil((Date.parse(deadline) - Date.now()) / 1000);
  return left <= 0 || no('crsm.blocked.early', { left: clockText(left, 'crsm.days') });
}

/** Enough digits that different ratios never look equal. */
const ratios = ({ icr, trigger }: { icr: string; trigger: string }) => ({
  icr: exactPercentText(BigInt(icr)),
  trigger: exactPercentText(BigInt(trigger)),
});

function mayRepay([target]: Crsms): true | Blocked {
  if (!target || target.row.stale) return true; // the server uses current figures
  const { icr, TRGCR } = target.row;
  if (icr === null) return no('crsm.blocked.noDebt');
  return BigInt(icr) <= BigInt(TRGCR) || no('crsm.blocked.aboveTrigger', ratios({ icr, trigger: TRGCR }));
}

async function refusing<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw toRefusal(error);
  }
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code === 'BAD_REQUEST') {
    const issues = error.issues.map(({ path, rule }) => ({ path: path.replace(/^params\./, ''), rule }));
    return new ApiError('BAD_REQUEST', error.requestId, { issues });
  }
  if (error.code !== 'CRSM_REFUSED') return error;
  const { reason, ...data } = (error.data ?? {}) as Record<string, unknown>;
  const known = crsmRefusals.find((name) => name === reason);
  if (!known) return error;
  const values = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, refusalValue(name, String(value))]));
  return Object.assign(new CommandError('CRSM_REFUSED', t(`crsm.refused.${known}`, values), [], `crsm.refused.${known}`), {
    values,
  });
}

function refusalValue(name: string, value: string): string {
  if (name === 'until') return formatTime(value);
  if (!/^\d+$/.test(value)) return value;
  return name === 'icr' || name === 'trigger' ? exactPercentText(BigInt(value)) : amountText(BigInt(value), 18);
}

interface Told {
  api: Api;
  targets: readonly (Target<'crsms'> | Target<'positions'>)[];
  params: object;
}

const wishOf = (action: CrsmAction, { row }: Target<'crsms'> | Target<'positions'>, told: object) => ({
  action,
  on: row,
  params: told as Readonly<Record<string, string>>,
});

const single = (action: CrsmAction) => ({
  danger: 'money' as const,
  panel: 'crsm' as const,
  consequences: async ({ api, targets: [target], params: told }: Told): Promise<Consequences> =>
    target ? reviewOf(wishOf(action, target, told), await api.chain.get()) : { lines: [] },
  run: async ({ api, targets: [target], params: told }: Told) => {
    if (!target) throw new Error(`${action} runs on one record`);
    const { hash, isMined } = await withWallet(() => refusing(takeWish(api, wishOf(action, target, told))));
    if (isMined) await readAgain(api, target);
    return { hash, isMined };
  },
  done: ({ hash, isMined }: Sent): Done => ({
    stale,
    toast: { key: isMined ? 'crsm.mined' : 'crsm.sent', values: { hash: shortenMiddle(hash) } },
  }),
});

/**
 * People with that permission read the chain immediately. For others the list follows with the next
 * block.
 */
async function readAgain(api: Api, { entity, id }: Target<'crsms'> | Target<'positions'>): Promise<void> {
  if (entity === 'crsms') return void (await api.crsm.updateData({ ids: [id] }).catch(() => {}));
  for (let looks = 0; looks < 8; looks++) {
    const [row] = await api.crsm.manyPositions({ ids: [id] }).catch(() => []);
    if (row?.crsm) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

type ManyResult = { rows: readonly BatchRow[]; isMined?: boolean };

const oneByOne = (action: 'claimYield' | 'claimAllCollateralGains', has: (row: CrsmRow) => boolean) => ({
  danger: 'money' as const,
  panel: 'crsm' as const,
  when: ({ targets }: { targets: Crsms }) => all(owned(targets), some(targets, has, no('crsm.blocked.nothingToClaim'))),
  consequences: async ({ api, targets, params: told }: Told): Promise<Consequences> => {
    const chain = await api.chain.get();
    const [first, ...rest] = targets as Crsms;
    if (!first) return { lines: [] };
    if (rest.length === 0) return reviewOf(wishOf(action, first, told), chain);
    const wallet = $evmWallet.get();
    const from = wallet && sentBy(wallet.account, chain);
    const lines = (targets as Crsms).map(async (target) => {
      const { lines: said, blocked }: Consequences = has(target.row)
        ? await reviewOf(wishOf(action, target, told), chain)
        : { lines: [t('crsm.blocked.nothingToClaim')] };
      return `#${target.row.tokenId} · ${[...said.filter((line) => line !== from), ...(blocked ? [blocked] : [])].join(' · ')}`;
    });
    return { lines: [t('crsm.review.batch', { n: targets.length }), ...(from ? [from] : []), ...(await Promise.all(lines))] };
  },
  run: async ({ api, targets, params: told }: Told): Promise<ManyResult> => {
    const crsms = targets as Crsms;
    const [only, other] = crsms;
    if (!only) throw new Error(`${action} runs on at least one record`);
    if (!other) {
      const { hash, isMined } = await single(action).run({ api, targets, params: told });
      return { rows: [{ id: only.id, name: only.name, state: isMined ? 'done' : 'failed', note: hash }], isMined };
    }
    try {
      let isBegun = false;
      const rows = await runBatch(`crsm.${action}`, crsms, async (target) => {
        const step = await claim(api, action, target, told, has, isBegun);
        isBegun ||= step.state === 'done';
        return step;
      });
      await api.crsm.updateData({ ids: crsms.map(({ id }) => id) }).catch(() => {});
      return { rows };
    } catch (error) {
      putBatchAway();
      throw error;
    }
  },
  done: ({ rows, isMined = true }: ManyResult): Done => {
    const failed = rows.filter(({ state }) => state !== 'done').map(({ id, state }) => ({ id, code: state }));
    const [first, second] = rows;
    return first && !second
      ? { stale, toast: { key: isMined ? 'crsm.mined' : 'crsm.sent', values: { hash: shortenMiddle(first.note ?? '') } } }
      : { stale, failed, reported: true, toast: { key: 'crsm.batch.allDone', values: { n: rows.length } } };
  },
});

/** These problems concern one call, so the others continue. */
const ofThisOne: ReadonlySet<EvmProblem> = new Set(['reverted', 'undone']);
/**
 * Canceling or a wallet problem ends the whole batch. A contract's refusal only skips this call.
 */
async function claim(
  api: Api,
  action: 'claimYield' | 'claimAllCollateralGains',
  target: Target<'crsms'>,
  told: object,
  has: (row: CrsmRow) => boolean,
  isBegun: boolean,
): Promise<BatchStep> {
  if (!has(target.row)) return { state: 'skipped', note: t('crsm.blocked.nothingToClaim') };
  try {
    const { hash, isMined } = await takeWish(api, wishOf(action, target, told));
    // A later transaction of the account would wait behind it.
    return isMined ? { state: 'done', note: hash } : { state: 'failed', note: t('crsm.sent', { hash }), stop: true };
  } catch (thrown) {
    // Retries the whole batch after a factor check only if no call was sent yet.
    if (!isBegun && thrown instanceof ApiError && thrown.code === 'FACTOR_STALE') throw thrown;
    const error = toRefusal(thrown);
    if (isStopped(error)) return { state: 'failed', note: t('device.stopped'), stop: true };
    if (error instanceof EvmError) return { state: 'failed', note: evmText(error), stop: !ofThisOne.has(error.code) };
    if (error instanceof CommandError) return { state: 'failed', note: error.reason ? t(error.reason) : error.message };
    return { state: 'failed', note: errorText(error), stop: true };
  }
}

const to = text('crsm.field.to');
const toSelf = () => ({ to: $evmWallet.get()?.account ?? '' });
const ratiosOf = (target: Target | undefined) => {
  if (target?.entity !== 'crsms') return {};
  const { TRGCR, TARCR, MAX_TARCR } = target.row;
  return { TRGCR, TARCR, MAX_TARCR };
};

export const crsm = [
  defineCommand({
    ...single('create'),
    id: 'crsm.create',
    permission: 'crsm.create',
    icon: 'plus',
    place: positions,
    target: one('positions'),
    params: {
      ...params(
        schemaOf('create'),
        {
          TRGCR: percent('create', 'TRGCR'),
          TARCR: percent('create', 'TARCR'),
          MAX_TARCR: percent('create', 'MAX_TARCR'),
          debtGasCompensation: yu(
            'create',
            'debtGasCompensation',
            'crsm.field.debtGasCompensation',
            'crsm.hint.debtGasCompensation',
          ),
          amount: yu('create', 'amount', 'crsm.field.amount', 'crsm.hint.createAmount'),
        },
        () => ({ debtGasCompensation: '0', amount: '0' }),
      ),
      check: checkOf('create'),
    },
    when: ({ targets }) => all(owned(targets), targets.every(({ row }) => row.crsm === null) || no('crsm.blocked.kept')),
    keys: ['c'],
  }),
  defineCommand({
    id: 'crsm.updateData',
    permission: 'crsm.updateData',
    icon: 'refresh-cw',
    place,
    target: many('crsms', { max: 100 }),
    params: null,
    danger: 'none',
    keys: ['u'],
    run: ({ api, targets }) => api.crsm.updateData({ ids: targets.map(({ id }) => id) }),
    done: (rows): Done => ({ stale, toast: { key: 'crsm.updated', values: { n: rows.filter((row) => !row.stale).length } } }),
  }),
  defineCommand({
    ...single('deposit'),
    id: 'crsm.deposit',
    permission: 'crsm.deposit',
    icon: 'arrow-down-to-line',
    place,
    target: one('crsms'),
    params: {
      ...params(schemaOf('deposit'), { amount: yu('deposit', 'amount', 'crsm.field.amount', 'crsm.hint.depositAmount') }),
      check: checkOf('deposit'),
    },
    when: connected,
    keys: ['d'],
  }),
  defineCommand({
    ...single('withdrawFromSP'),
    id: 'crsm.withdrawFromSP',
    permission: 'crsm.withdrawFromSP',
    icon: 'arrow-up-from-line',
    place,
    target: one('crsms'),
    params: {
      ...params(
        schemaOf('withdrawFromSP'),
        { amount: yu('withdrawFromSP', 'amount', 'crsm.field.amount', 'crsm.hint.withdrawFromSP'), to },
        toSelf,
      ),
      check: checkOf('withdrawFromSP'),
    },
    when: ({ targets }) =>
      all(
        owned(targets),
        some(targets, ({ deposits }) => deposits !== '0', no('crsm.blocked.noDeposit')),
      ),
    keys: ['w'],
  }),
  defineCommand({
    ...oneByOne('claimYield', hasYield),
    id: 'crsm.claimYield',
    permission: 'crsm.claimYield',
    icon: 'coins',
    place,
    target: many('crsms', { max: most }),
    params: params(schemaOf('claimYield'), { to }, toSelf),
    keys: ['shift+c'],
  }),
  defineCommand({
    ...oneByOne('claimAllCollateralGains', hasGains),
    id: 'crsm.claimAllCollateralGains',
    permission: 'crsm.claimAllCollateralGains',
    icon: 'gift',
    place,
    target: many('crsms', { max: most }),
    params: params(schemaOf('claimAllCollateralGains'), { to }, toSelf),
    keys: ['shift+g'],
  }),
  defineCommand({
    ...single('updateCR'),
    id: 'crsm.updateCR',
    permission: 'crsm.updateCR',
    icon: 'pencil',
    place,
    target: one('crsms'),
    params: {
      ...params(
        schemaOf('updateCR'),
        {
          TRGCR: percent('updateCR', 'TRGCR'),
          TARCR: percent('updateCR', 'TARCR'),
          MAX_TARCR: percent('updateCR', 'MAX_TARCR'),
        },
        ({ targets: [target] }) => ratiosOf(target),
      ),
      check: checkOf('updateCR'),
    },
    when: ({ targets }) => owned(targets),
    keys: ['e'],
  }),
  defineCommand({
    ...single('commitDebtGasCompensation'),
    id: 'crsm.commitDebtGasCompensation',
    permission: 'crsm.commitDebtGasCompensation',
    icon: 'send',
    place,
    target: one('crsms'),
    params: params(schemaOf('commitDebtGasCompensation'), {
      debtGasCompensation: yu(
        'commitDebtGasCompensation',
        'debtGasCompensation',
        'crsm.field.debtGasCompensation',
        'crsm.hint.commit',
      ),
    }),
    when: ({ targets }) => owned(targets),
    keys: ['m'],
  }),
  defineCommand({
    ...single('acceptDebtGasCompensation'),
    id: 'crsm.acceptDebtGasCompensation',
    permission: 'crsm.acceptDebtGasCompensation',
    icon: 'square-check',
    place,
    target: one('crsms'),
    params: null,
    when: ({ targets }) => all(owned(targets), mayAccept(targets)),
    keys: ['a'],
  }),
  defineCommand({
    ...single('withdraw'),
    id: 'crsm.withdraw',
    permission: 'crsm.withdraw',
    icon: 'wallet',
    place,
    target: one('crsms'),
    params: {
      ...params(
        schemaOf('withdraw'),
        { amount: yu('withdraw', 'amount', 'crsm.field.amount', 'crsm.hint.withdraw'), to },
        toSelf,
      ),
      check: checkOf('withdraw'),
    },
    when: ({ targets }) =>
      all(
        owned(targets),
        some(targets, ({ debtTokenBalance }) => debtTokenBalance !== '0', no('crsm.blocked.noIdle')),
      ),
    keys: ['shift+w'],
  }),
  defineCommand({
    ...single('repay'),
    id: 'crsm.repay',
    permission: 'crsm.repay',
    icon: 'repeat',
    place,
    target: one('crsms'),
    params: {
      ...params(schemaOf('repay'), { amount: yu('repay', 'amount', 'crsm.field.amount', 'crsm.hint.repay') }),
      check: checkOf('repay'),
    },
    when: ({ targets }) => all(connected(), mayRepay(targets)),
    keys: ['p'],
  }),
  opening('crsm.open', 'crsms', place),
  opening('crsm.openPosition', 'positions', positions),
  defineCommand({
    ...copies,
    id: 'crsm.copyAddress',
    permission: place,
    place: place,
    target: one('crsms'),
    run: ({ ui, targets }) => ui.copy(only(targets).id),
  }),
  exploring('crsm.explore', 'crsms', place, ({ id }) => onEvm.address(id)),
];
