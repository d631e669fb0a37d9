import { dataPanelNames } from '../../../api/custody/names.ts';
import { buildDifferenceKey } from '../../../api/custody/difference.ts';
import type { OpenFreeze, OtherFreezes, Reconciliation, UnknownRefund } from '../../../api/custody/contract.ts';
import { freezeReview, liftReview } from './freeze-review.ts';
import { $freeze, missingLiftSignatures } from './shared/freeze.ts';
import { $loginEmail } from '../../lib/session/session.ts';
import type { Api } from '../../lib/net/client.ts';
import { t, type TextKey } from '../../lib/i18n/i18n.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { amountText } from '../../lib/money/amount-text.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import {
  invocation,
  defineCommand,
  blockedBecause,
  noTarget,
  oneTarget,
  type BlockReason,
  type CommandResult,
  type Consequences,
  type ConfirmWording,
  copyCommand,
  firstOf,
} from '../engine/define.ts';
import { withMoneyRefusal } from '../authority/shared/refusals.ts';
import { withSigningKey, withSignature } from '../authority/shared/signing.ts';
import { explorerCommands } from '../engine/explorer-commands.ts';
import { paramSpec, paramSpecAfter, recordParams } from '../engine/fields.ts';
import { addressBeside, targetOf } from '../engine/resource.ts';

addNames(dataPanelNames);

export const institutionTarget = targetOf('institutions', ({ name, address }) => (name ? `${name} ${address}` : address));

const screenPath = '/selfCustody/dataPanel';
const loadSchemas = () => import('../../../api/custody/contract.ts');
const staleQueries = ['institutions', 'dataPanel', 'freeze'];

export function differenceCommands({ supplyOff, ledgerOff }: { supplyOff: string | null; ledgerOff: string }): string[] {
  const differenceLine = (difference: bigint, surplusText: TextKey, deficitText: TextKey) =>
    difference === 0n
      ? []
      : [t(difference > 0n ? surplusText : deficitText, { amount: amountText(difference > 0n ? difference : -difference, 18) })];
  return [
    ...differenceLine(BigInt(supplyOff ?? 0), 'dataPanel.reconciliation.supplyMore', 'dataPanel.reconciliation.supplyLess'),
    ...differenceLine(BigInt(ledgerOff), 'dataPanel.reconciliation.ledgerMore', 'dataPanel.reconciliation.ledgerLess'),
  ];
}

/** What lifting does. Beside the review, only differences that it does not accept. */
function liftConsequences({ freeze, supplyOff, ledgerOff }: Reconciliation, openFreeze: OpenFreeze | null): Consequences {
  if (!freeze || !openFreeze) return { lines: [], blocked: t('dataPanel.freeze.none') };
  if (freeze.kind === 'manual') return { lines: [], reviews: [liftReview(openFreeze, [])] };
  const { aliens, refunds } = freeze;
  const acceptedCommands = differenceCommands(freeze);
  const unknownRefundLines = aliens.map(
    ({ block, amount, to }) => `${t('dataPanel.reconciliation.alien', { block, amount: amountText(BigInt(amount), 18) })} ${to}`,
  );
  // Lifting accepts exactly the figures of the freeze, not newer ones.
  const newDifferences =
    supplyOff === null ? [] : differenceCommands({ supplyOff, ledgerOff }).filter((line) => !acceptedCommands.includes(line));
  // The supply difference was accepted before.
  const differences = refunds.length > 0 ? refunds.map(refundLine) : [...new Set([...acceptedCommands, ...unknownRefundLines])];
  return {
    reviews: [liftReview(openFreeze, differences)],
    lines: [t('dataPanel.freeze.accepts'), ...newDifferences.map((line) => t('dataPanel.reconciliation.now', { line }))],
  };
}

const refundLine = ({ nonce, from, receiver, amount, transaction }: UnknownRefund): string =>
  `${t('dataPanel.reconciliation.refund', { nonce, amount: amountText(BigInt(amount), 18), from })} ${receiver} · ${transaction ?? '—'}`;

/** Signed by the person where they have a key in the authority log. */
async function resolveFreeze(api: Api, values: { reason: string; freeze?: string | undefined }, onlySigns: boolean) {
  const { freeze } = await api.dataPanel.reconciliation();
  const proposal = await withMoneyRefusal(api.dataPanel.proposeResolve(values));
  const displayedStatement = {
    kind: 'unfreeze',
    content: freeze ? { freeze: freeze.id, difference: buildDifferenceKey(freeze) } : {},
  } as const;
  return withMoneyRefusal(api.dataPanel.resolve({ ...(await withSignature(values, proposal, displayedStatement)), onlySigns }));
}

const readFreeze = async (api: Api): Promise<void> => $freeze.set((await api.dataPanel.freeze()).open);

const liftingParams = paramSpecAfter(
  readFreeze,
  paramSpec(
    () => loadSchemas().then(({ freezeReason }) => freezeReason),
    { reason: { as: 'multiline', label: 'dataPanel.field.reason', hint: 'dataPanel.hint.reason' } },
    () => {
      const openFreeze = $freeze.get();
      return openFreeze ? { freeze: openFreeze.id } : {};
    },
  ),
);

/** With an authority log, only the last signature lifts the freeze. */
function liftingWording(): ConfirmWording {
  const freeze = $freeze.get();
  if (!freeze) return { lead: [{ key: 'dataPanel.freeze.liftsNow.all' }] };
  const missing = missingLiftSignatures(freeze);
  if (missing > 0) return { variant: 'sign', lead: [{ key: 'dataPanel.freeze.more', values: { n: missing } }], onlySigns: true };
  const remainingKind = remainingFreeze(freeze.others);
  return { ...(remainingKind && { variant: 'other' }), lead: [{ key: `dataPanel.freeze.liftsNow.${remainingKind ?? 'all'}` }] };
}

const remainingFreeze = ({ ledger, log }: OtherFreezes) => (ledger > 0 ? 'ledger' : log > 0 ? 'log' : null);

function checkLift(): true | BlockReason {
  const freeze = $freeze.get();
  if (freeze === null) return blockedBecause('dataPanel.freeze.none');
  if (!freeze) return true;
  const email = $loginEmail.get();
  const { lifting, kind, by } = freeze;
  if (lifting === null) return kind === 'manual' && by === email ? blockedBecause('deposits.refused.OWN_FREEZE') : true;
  return !lifting.own || lifting.missing === 0 || blockedBecause('dataPanel.freeze.youSigned', { n: lifting.missing });
}

const institutionPath = (address: string): string => addressBeside(screenPath, 'open', address);

export const dataPanel = [
  defineCommand({
    id: 'dataPanel.refresh',
    permission: screenPath,
    icon: 'refresh-cw',
    place: screenPath,
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['shift+r'],
    run: () => {},
    done: (): CommandResult => ({ stale: staleQueries, toast: { key: 'dataPanel.refreshed' } }),
  }),
  defineCommand({
    id: 'dataPanel.freezeMoney',
    permission: 'dataPanel.freezeMoney',
    icon: 'vault',
    place: 'global',
    target: noTarget,
    params: paramSpec(() => loadSchemas().then(({ manualFreeze }) => manualFreeze), {
      reason: { as: 'multiline', label: 'dataPanel.field.reason', hint: 'dataPanel.hint.freezeReason' },
    }),
    danger: 'irreversible',
    oneStep: true,
    keys: ['shift+z'],
    consequences: async ({ api }) => ({ lines: [], reviews: [freezeReview((await api.dataPanel.freeze()).open)] }),
    run: ({ api, params: values }) => api.dataPanel.freezeMoney(values),
    done: (): CommandResult => ({ stale: staleQueries, toast: { key: 'dataPanel.freeze.frozen' } }),
  }),
  defineCommand({
    id: 'dataPanel.resolve',
    permission: 'dataPanel.resolve',
    icon: 'shield-off',
    place: screenPath,
    target: noTarget,
    params: liftingParams,
    when: checkLift,
    danger: 'money',
    oneStep: true,
    confirmWording: liftingWording,
    consequences: async ({ api }) => {
      const [reconciliation, { open }] = await Promise.all([api.dataPanel.reconciliation(), api.dataPanel.freeze()]);
      return liftConsequences(reconciliation, open);
    },
    run: ({ api, params: values, onlySigns }) => withSigningKey(() => resolveFreeze(api, values, onlySigns)),
    done: ({ missing, others }): CommandResult => ({
      stale: staleQueries,
      toast:
        missing > 0
          ? { key: 'dataPanel.freeze.signed', values: { n: missing } }
          : { key: `dataPanel.freeze.lifted.${remainingFreeze(others) ?? 'all'}` },
    }),
  }),
  defineCommand({
    id: 'alarms.test',
    permission: 'alarms.test',
    icon: 'send',
    place: screenPath,
    target: noTarget,
    params: null,
    danger: 'none',
    run: ({ api }) => api.alarms.test(),
    done: ({ channels }): CommandResult => ({
      toast: {
        key: 'dataPanel.alarmTest',
        values: {
          channels: channels
            .map(({ channel, state, error }) => `${channel}: ${t(`dataPanel.alarmState.${state}`)}${error ? ` (${error})` : ''}`)
            .join(' · '),
        },
      },
    }),
  }),
  defineCommand({
    id: 'dataPanel.rename',
    permission: 'dataPanel.rename',
    icon: 'pencil',
    place: screenPath,
    target: oneTarget('institutions'),
    params: recordParams(
      'institutions',
      () => loadSchemas().then(({ institutionName }) => institutionName),
      { name: { as: 'text', label: 'dataPanel.field.name', hint: 'dataPanel.hint.name', optional: true } },
      ({ name }) => ({ name }),
    ),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets: [target], params: { name } }) => {
      if (!target) throw new Error('dataPanel.rename runs on one institution');
      const row = await api.dataPanel.rename({ address: target.id, version: target.version, name });
      return { row, before: target.row.name };
    },
    done: ({ row: { id, version }, before }): CommandResult => ({
      stale: staleQueries,
      undo: invocation('dataPanel.rename', { targets: [{ id, version }], params: { name: before } }),
    }),
  }),
  defineCommand({
    id: 'dataPanel.open',
    permission: screenPath,
    icon: 'book-open',
    place: screenPath,
    target: oneTarget('institutions'),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui, targets: [target] }) => {
      if (target) ui.navigate(institutionPath(target.id));
    },
  }),
  defineCommand({
    ...copyCommand,
    id: 'dataPanel.copyAddress',
    permission: screenPath,
    place: screenPath,
    target: oneTarget('institutions'),
    run: ({ ui, targets }) => ui.copy(firstOf(targets).id),
  }),
  explorerCommands('dataPanel.explore', 'institutions', screenPath, ({ row }) => evmExplorerTarget.address(row.address)),
];
