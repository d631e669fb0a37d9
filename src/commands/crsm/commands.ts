import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { crsmRefusals, type CrsmAction } from '../../../api/crsm/values.ts';
import { crsmNames } from '../../../api/crsm/names.ts';
import { runBatch, dismissBatch, type BatchRow, type BatchStep } from '../../lib/batch.ts';
import { ApiError, type Api } from '../../lib/net/client.ts';
import { clockText } from '../../lib/countdown.ts';
import { isAbortError } from '../../lib/device/device-request.ts';
import { errorText } from '../../lib/net/errors.ts';
import type { SendResult } from '../../lib/evm/contract-call.ts';
import { EvmError, type EvmProblem } from '../../lib/evm/problem.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { formatTime, shortenMiddle } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { amountText, exactPercentText } from '../../lib/money/amount-text.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { Target } from '../../lib/scope.ts';
import { openCommand } from '../engine/crud.ts';
import {
  defineCommand,
  manyTargets,
  blockedBecause,
  oneTarget,
  type BlockReason,
  type Consequences,
  type CommandResult,
  copyCommand,
  firstOf,
} from '../engine/define.ts';
import { CommandError } from '../engine/command-error.ts';
import { explorerCommands } from '../engine/explorer-commands.ts';
import { paramSpec, textField } from '../engine/fields.ts';
import { reviewRequest, sendRequest } from './requests.ts';
import { buildCheck, ratioField, yuField } from './fields.ts';
import { evmText, withWallet } from '../custody/shared/wallet-problem.ts';
import { targetOf } from '../engine/resource.ts';

addNames(crsmNames);

export const crsmTarget = targetOf('crsms', ({ id, tokenId }) => `CRSM #${tokenId} · ${id}`);
export const positionTarget = targetOf('positions', ({ troveId, owner }) => `#${troveId} · ${owner}`);

const screenPath = '/CRSMTrove/CRSMList';
const positions = '/CRSMTrove/positionList';
const staleQueries = ['crsms', 'positions'];
const maxBatchSize = 50;

const loadSchemaOf =
  <A extends CrsmAction>(action: A) =>
  () =>
    import('../../../api/crsm/contract.ts').then(({ crsmFields }) => crsmFields[action]);

type Crsms = readonly Target<'crsms'>[];

const checkConnected = (): true | BlockReason => $evmWallet.get() !== null || blockedBecause('evm.problem.none');

function checkOwned(targets: readonly { row: { owner: string } }[]): true | BlockReason {
  const wallet = $evmWallet.get();
  if (!wallet) return blockedBecause('evm.problem.none');
  const unownedTarget = targets.find(({ row }) => row.owner !== wallet.account);
  return unownedTarget === undefined || blockedBecause('crsm.blocked.notOwner', { owner: unownedTarget.row.owner });
}

const firstProblem = (...checks: (true | BlockReason)[]): true | BlockReason => checks.find((check) => check !== true) ?? true;

const checkAny = (targets: Crsms, isClaimable: (row: CrsmRow) => boolean, fallbackReason: BlockReason): true | BlockReason =>
  targets.length === 0 || targets.some(({ row }) => isClaimable(row)) || fallbackReason;

const hasYield = ({ yieldGains }: CrsmRow) => yieldGains !== '0';
const hasGains = ({ collateralGains }: CrsmRow) => collateralGains.some(({ amount }) => amount !== '0');

function checkAccept([target]: Crsms): true | BlockReason {
  const { deadline } = target?.row ?? {};
  if (!target || deadline == null) return blockedBecause('crsm.blocked.nothingPending');
  const secondsLeft = Math.ceil((Date.parse(deadline) - Date.now()) / 1000);
  return secondsLeft <= 0 || blockedBecause('crsm.blocked.early', { left: clockText(secondsLeft, 'crsm.days') });
}

/** Enough digits that different ratios never look equal. */
const ratioArguments = ({ icr, trigger }: { icr: string; trigger: string }) => ({
  icr: exactPercentText(BigInt(icr)),
  trigger: exactPercentText(BigInt(trigger)),
});

function checkRepay([target]: Crsms): true | BlockReason {
  if (!target || target.row.stale) return true; // the server uses current figures
  const { icr, TRGCR } = target.row;
  if (icr === null) return blockedBecause('crsm.blocked.noDebt');
  return BigInt(icr) <= BigInt(TRGCR) || blockedBecause('crsm.blocked.aboveTrigger', ratioArguments({ icr, trigger: TRGCR }));
}

async function withRefusal<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
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
  const knownRefusal = crsmRefusals.find((name) => name === reason);
  if (!knownRefusal) return error;
  const values = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, refusalValue(name, String(value))]));
  return Object.assign(
    new CommandError('CRSM_REFUSED', t(`crsm.refused.${knownRefusal}`, values), [], `crsm.refused.${knownRefusal}`),
    {
      values,
    },
  );
}

function refusalValue(name: string, value: string): string {
  if (name === 'until') return formatTime(value);
  if (!/^\d+$/.test(value)) return value;
  return name === 'icr' || name === 'trigger' ? exactPercentText(BigInt(value)) : amountText(BigInt(value), 18);
}

interface RunContext {
  api: Api;
  targets: readonly (Target<'crsms'> | Target<'positions'>)[];
  params: object;
}

const toCrsmRequest = (action: CrsmAction, { row }: Target<'crsms'> | Target<'positions'>, values: object) => ({
  action,
  on: row,
  params: values as Readonly<Record<string, string>>,
});

const singleActionCommand = (action: CrsmAction) => ({
  danger: 'money' as const,
  oneStep: 'form' as const,
  panel: 'crsm' as const,
  reviewNamesParams: true as const,
  consequences: async ({ api, targets: [target], params: values }: RunContext): Promise<Consequences> =>
    target ? reviewRequest(toCrsmRequest(action, target, values), await api.chain.get()) : { lines: [] },
  run: async ({ api, targets: [target], params: values }: RunContext) => {
    if (!target) throw new Error(`${action} runs on one record`);
    const { hash, isMined } = await withWallet(() => withRefusal(sendRequest(api, toCrsmRequest(action, target, values))));
    if (isMined) await refreshRecord(api, target);
    return { hash, isMined };
  },
  done: ({ hash, isMined }: SendResult): CommandResult => ({
    stale: staleQueries,
    toast: { key: isMined ? 'crsm.mined' : 'crsm.sent', values: { hash: shortenMiddle(hash) } },
  }),
});

/**
 * People with that permission read the chain immediately. For others the list follows with the next
 * block.
 */
async function refreshRecord(api: Api, { entity, id }: Target<'crsms'> | Target<'positions'>): Promise<void> {
  if (entity === 'crsms') return void (await api.crsm.updateData({ ids: [id] }).catch(() => {}));
  for (let attempt = 0; attempt < 8; attempt++) {
    const [row] = await api.crsm.manyPositions({ ids: [id] }).catch(() => []);
    if (row?.crsm) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

type ManyResult = { rows: readonly BatchRow[]; isMined?: boolean };

const batchActionCommand = (action: 'claimYield' | 'claimAllCollateralGains', isClaimable: (row: CrsmRow) => boolean) => ({
  danger: 'money' as const,
  oneStep: 'form' as const,
  panel: 'crsm' as const,
  reviewNamesParams: true as const,
  when: ({ targets }: { targets: Crsms }) =>
    firstProblem(checkOwned(targets), checkAny(targets, isClaimable, blockedBecause('crsm.blocked.nothingToClaim'))),
  consequences: async ({ api, targets, params: values }: RunContext): Promise<Consequences> => {
    const chain = await api.chain.get();
    const [firstTarget, ...otherTargets] = targets as Crsms;
    if (!firstTarget) return { lines: [] };
    if (otherTargets.length === 0) return reviewRequest(toCrsmRequest(action, firstTarget, values), chain);
    const claimableTargets = (targets as Crsms).filter(({ row }) => isClaimable(row));
    const gasEstimates = await Promise.all(
      claimableTargets.map(async (target) => ({
        target,
        ...(await reviewRequest(toCrsmRequest(action, target, values), chain)),
      })),
    );
    // What a contract refuses stops only its own transaction.
    const refusedTexts = gasEstimates.flatMap(({ target, blocked }) => (blocked ? [`#${target.row.tokenId} · ${blocked}`] : []));
    const skippedRows = (targets as Crsms).filter(({ row }) => !isClaimable(row)).map(({ row }) => row);
    return {
      lines: [
        t('crsm.review.batch', { n: targets.length }),
        ...refusedTexts,
        ...skippedRows.map(({ tokenId }) => `#${tokenId} · ${t('crsm.blocked.nothingToClaim')}`),
      ],
      reviews: gasEstimates.flatMap(({ reviews }) => reviews),
    };
  },
  run: async ({ api, targets, params: values }: RunContext): Promise<ManyResult> => {
    const crsms = targets as Crsms;
    const [firstCrsm, secondCrsm] = crsms;
    if (!firstCrsm) throw new Error(`${action} runs on at least one record`);
    if (!secondCrsm) {
      const { hash, isMined } = await singleActionCommand(action).run({ api, targets, params: values });
      return { rows: [{ id: firstCrsm.id, name: firstCrsm.name, state: isMined ? 'done' : 'failed', note: hash }], isMined };
    }
    try {
      let hasStarted = false;
      const rows = await runBatch(`crsm.${action}`, crsms, async (target) => {
        const stepResult = await claimFor(api, action, target, values, isClaimable, hasStarted);
        hasStarted ||= stepResult.state === 'done';
        return stepResult;
      });
      await api.crsm.updateData({ ids: crsms.map(({ id }) => id) }).catch(() => {});
      return { rows };
    } catch (error) {
      dismissBatch();
      throw error;
    }
  },
  done: ({ rows, isMined = true }: ManyResult): CommandResult => {
    const failedItems = rows.filter(({ state }) => state !== 'done').map(({ id, state }) => ({ id, code: state }));
    const [firstTarget, secondRow] = rows;
    return firstTarget && !secondRow
      ? {
          stale: staleQueries,
          toast: { key: isMined ? 'crsm.mined' : 'crsm.sent', values: { hash: shortenMiddle(firstTarget.note ?? '') } },
        }
      : {
          stale: staleQueries,
          failed: failedItems,
          reported: true,
          toast: { key: 'crsm.batch.allDone', values: { n: rows.length } },
        };
  },
});

/** These problems concern one call, so the others continue. */
const perRecordProblems: ReadonlySet<EvmProblem> = new Set(['reverted', 'undone']);
/**
 * Canceling or a wallet problem ends the whole batch. A contract's refusal only skips this call.
 */
async function claimFor(
  api: Api,
  action: 'claimYield' | 'claimAllCollateralGains',
  target: Target<'crsms'>,
  values: object,
  isClaimable: (row: CrsmRow) => boolean,
  hasStarted: boolean,
): Promise<BatchStep> {
  if (!isClaimable(target.row)) return { state: 'skipped', note: t('crsm.blocked.nothingToClaim') };
  try {
    const { hash, isMined } = await sendRequest(api, toCrsmRequest(action, target, values));
    // A later transaction of the account would wait behind it.
    return isMined ? { state: 'done', note: hash } : { state: 'failed', note: t('crsm.sent', { hash }), stop: true };
  } catch (cause) {
    // Retries the whole batch after a factor check only if no call was sent yet.
    if (!hasStarted && cause instanceof ApiError && cause.code === 'FACTOR_STALE') throw cause;
    const error = toRefusal(cause);
    if (isAbortError(error)) return { state: 'failed', note: t('device.stopped'), stop: true };
    if (error instanceof EvmError) return { state: 'failed', note: evmText(error), stop: !perRecordProblems.has(error.code) };
    if (error instanceof CommandError) return { state: 'failed', note: error.reason ? t(error.reason) : error.message };
    return { state: 'failed', note: errorText(error), stop: true };
  }
}

const receiverField = textField('crsm.field.to');
const ownReceiver = () => ({ to: $evmWallet.get()?.account ?? '' });
const ratiosOf = (target: Target | undefined) => {
  if (target?.entity !== 'crsms') return {};
  const { TRGCR, TARCR, MAX_TARCR } = target.row;
  return { TRGCR, TARCR, MAX_TARCR };
};

export const crsm = [
  defineCommand({
    ...singleActionCommand('create'),
    id: 'crsm.create',
    permission: 'crsm.create',
    icon: 'plus',
    place: positions,
    target: oneTarget('positions'),
    params: {
      ...paramSpec(
        loadSchemaOf('create'),
        {
          TRGCR: ratioField('create', 'TRGCR'),
          TARCR: ratioField('create', 'TARCR'),
          MAX_TARCR: ratioField('create', 'MAX_TARCR'),
          debtGasCompensation: yuField(
            'create',
            'debtGasCompensation',
            'crsm.field.debtGasCompensation',
            'crsm.hint.debtGasCompensation',
          ),
          amount: yuField('create', 'amount', 'crsm.field.amount', 'crsm.hint.createAmount'),
        },
        () => ({ debtGasCompensation: '0', amount: '0' }),
      ),
      check: buildCheck('create'),
    },
    when: ({ targets }) =>
      firstProblem(checkOwned(targets), targets.every(({ row }) => row.crsm === null) || blockedBecause('crsm.blocked.kept')),
    keys: ['c'],
  }),
  defineCommand({
    id: 'crsm.updateData',
    permission: 'crsm.updateData',
    icon: 'refresh-cw',
    place: screenPath,
    target: manyTargets('crsms', { max: 100 }),
    params: null,
    danger: 'none',
    keys: ['u'],
    run: ({ api, targets }) => api.crsm.updateData({ ids: targets.map(({ id }) => id) }),
    done: (rows): CommandResult => ({
      stale: staleQueries,
      toast: { key: 'crsm.updated', values: { n: rows.filter((row) => !row.stale).length } },
    }),
  }),
  defineCommand({
    ...singleActionCommand('deposit'),
    id: 'crsm.deposit',
    permission: 'crsm.deposit',
    icon: 'arrow-down-to-line',
    place: screenPath,
    target: oneTarget('crsms'),
    params: {
      ...paramSpec(loadSchemaOf('deposit'), {
        amount: yuField('deposit', 'amount', 'crsm.field.amount', 'crsm.hint.depositAmount'),
      }),
      check: buildCheck('deposit'),
    },
    when: checkConnected,
    keys: ['d'],
  }),
  defineCommand({
    ...singleActionCommand('withdrawFromSP'),
    id: 'crsm.withdrawFromSP',
    permission: 'crsm.withdrawFromSP',
    icon: 'arrow-up-from-line',
    place: screenPath,
    target: oneTarget('crsms'),
    params: {
      ...paramSpec(
        loadSchemaOf('withdrawFromSP'),
        { amount: yuField('withdrawFromSP', 'amount', 'crsm.field.amount', 'crsm.hint.withdrawFromSP'), to: receiverField },
        ownReceiver,
      ),
      check: buildCheck('withdrawFromSP'),
    },
    when: ({ targets }) =>
      firstProblem(
        checkOwned(targets),
        checkAny(targets, ({ deposits }) => deposits !== '0', blockedBecause('crsm.blocked.noDeposit')),
      ),
    keys: ['w'],
  }),
  defineCommand({
    ...batchActionCommand('claimYield', hasYield),
    id: 'crsm.claimYield',
    permission: 'crsm.claimYield',
    icon: 'coins',
    place: screenPath,
    target: manyTargets('crsms', { max: maxBatchSize }),
    params: paramSpec(loadSchemaOf('claimYield'), { to: receiverField }, ownReceiver),
    keys: ['shift+c'],
  }),
  defineCommand({
    ...batchActionCommand('claimAllCollateralGains', hasGains),
    id: 'crsm.claimAllCollateralGains',
    permission: 'crsm.claimAllCollateralGains',
    icon: 'gift',
    place: screenPath,
    target: manyTargets('crsms', { max: maxBatchSize }),
    params: paramSpec(loadSchemaOf('claimAllCollateralGains'), { to: receiverField }, ownReceiver),
    keys: ['shift+g'],
  }),
  defineCommand({
    ...singleActionCommand('updateCR'),
    id: 'crsm.updateCR',
    permission: 'crsm.updateCR',
    icon: 'pencil',
    place: screenPath,
    target: oneTarget('crsms'),
    params: {
      ...paramSpec(
        loadSchemaOf('updateCR'),
        {
          TRGCR: ratioField('updateCR', 'TRGCR'),
          TARCR: ratioField('updateCR', 'TARCR'),
          MAX_TARCR: ratioField('updateCR', 'MAX_TARCR'),
        },
        ({ targets: [target] }) => ratiosOf(target),
      ),
      check: buildCheck('updateCR'),
    },
    when: ({ targets }) => checkOwned(targets),
    keys: ['e'],
  }),
  defineCommand({
    ...singleActionCommand('commitDebtGasCompensation'),
    id: 'crsm.commitDebtGasCompensation',
    permission: 'crsm.commitDebtGasCompensation',
    icon: 'send',
    place: screenPath,
    target: oneTarget('crsms'),
    params: paramSpec(loadSchemaOf('commitDebtGasCompensation'), {
      debtGasCompensation: yuField(
        'commitDebtGasCompensation',
        'debtGasCompensation',
        'crsm.field.debtGasCompensation',
        'crsm.hint.commit',
      ),
    }),
    when: ({ targets }) => checkOwned(targets),
    keys: ['m'],
  }),
  defineCommand({
    ...singleActionCommand('acceptDebtGasCompensation'),
    id: 'crsm.acceptDebtGasCompensation',
    permission: 'crsm.acceptDebtGasCompensation',
    icon: 'square-check',
    place: screenPath,
    target: oneTarget('crsms'),
    params: null,
    when: ({ targets }) => firstProblem(checkOwned(targets), checkAccept(targets)),
    keys: ['a'],
  }),
  defineCommand({
    ...singleActionCommand('withdraw'),
    id: 'crsm.withdraw',
    permission: 'crsm.withdraw',
    icon: 'wallet',
    place: screenPath,
    target: oneTarget('crsms'),
    params: {
      ...paramSpec(
        loadSchemaOf('withdraw'),
        { amount: yuField('withdraw', 'amount', 'crsm.field.amount', 'crsm.hint.withdraw'), to: receiverField },
        ownReceiver,
      ),
      check: buildCheck('withdraw'),
    },
    when: ({ targets }) =>
      firstProblem(
        checkOwned(targets),
        checkAny(targets, ({ debtTokenBalance }) => debtTokenBalance !== '0', blockedBecause('crsm.blocked.noIdle')),
      ),
    keys: ['shift+w'],
  }),
  defineCommand({
    ...singleActionCommand('repay'),
    id: 'crsm.repay',
    permission: 'crsm.repay',
    icon: 'repeat',
    place: screenPath,
    target: oneTarget('crsms'),
    params: {
      ...paramSpec(loadSchemaOf('repay'), { amount: yuField('repay', 'amount', 'crsm.field.amount', 'crsm.hint.repay') }),
      check: buildCheck('repay'),
    },
    when: ({ targets }) => firstProblem(checkConnected(), checkRepay(targets)),
    keys: ['p'],
  }),
  openCommand('crsm.open', 'crsms', screenPath),
  openCommand('crsm.openPosition', 'positions', positions),
  defineCommand({
    ...copyCommand,
    id: 'crsm.copyAddress',
    permission: screenPath,
    place: screenPath,
    target: oneTarget('crsms'),
    run: ({ ui, targets }) => ui.copy(firstOf(targets).id),
  }),
  explorerCommands('crsm.explore', 'crsms', screenPath, ({ id }) => evmExplorerTarget.address(id)),
];
