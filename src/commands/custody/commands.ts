import { dataPanelNames } from '../../../api/custody/names.ts';
import { differenceOf } from '../../../api/custody/difference.ts';
import type { UnknownRefund, OtherFreezes, Reconciliation } from '../../../api/custody/contract.ts';
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

const place = '/selfCustody/dataPanel';
const schemas = () => import('../../../api/custody/contract.ts');
const stale = ['institutions', 'dataPanel', 'freeze'];

export function differenceCommands({ supplyOff, ledgerOff }: { supplyOff: string | null; ledgerOff: string }): string[] {
  const line = (off: bigint, more: TextKey, less: TextKey) =>
    off === 0n ? [] : [t(off > 0n ? more : less, { amount: amountText(off > 0n ? off : -off, 18) })];
  return [
    ...line(BigInt(supplyOff ?? 0), 'dataPanel.reconciliation.supplyMore', 'dataPanel.reconciliation.supplyLess'),
    ...line(BigInt(ledgerOff), 'dataPanel.reconciliation.ledgerMore', 'dataPanel.reconciliation.ledgerLess'),
  ];
}

function acceptedDifferences({ freeze, supplyOff, ledgerOff }: Reconciliation): string[] {
  if (!freeze) return [t('dataPanel.freeze.none')];
  if (freeze.kind === 'manual') return [t('dataPanel.freeze.manual', { by: freeze.by ?? '', reason: freeze.reason ?? '' })];
  const { aliens, refunds } = freeze;
  const accepted = differenceCommands(freeze);
  const named = aliens.map(
    ({ block, amount, to }) => `${t('dataPanel.reconciliation.alien', { block, amount: amountText(BigInt(amount), 18) })} ${to}`,
  );
  // Lifting accepts exactly the figures of the freeze, not newer ones.
  const now = supplyOff === null ? [] : differenceCommands({ supplyOff, ledgerOff }).filter((line) => !accepted.includes(line));
  return [
    t('dataPanel.freeze.accepts'),
    // The supply difference was accepted before.
    ...(refunds.length > 0 ? refunds.map(refundLine) : [...new Set([...accepted, ...named])]),
    ...now.map((line) => t('dataPanel.reconciliation.now', { line })),
  ];
}

const refundLine = ({ nonce, from, receiver, amount, transaction }: UnknownRefund): string =>
  `${t('dataPanel.reconciliation.refund', { nonce, amount: amountText(BigInt(amount), 18), from })} ${receiver} · ${transaction ?? '—'}`;

/** Signed by the person where they have a key in the authority log. */
async function resolve(api: Api, values: { reason: string; freeze?: string | undefined }, onlySigns: boolean) {
  const { freeze } = await api.dataPanel.reconciliation();
  const proposal = await withMoneyRefusal(api.dataPanel.proposeResolve(values));
  const shown = { kind: 'unfreeze', content: freeze ? { freeze: freeze.id, difference: differenceOf(freeze) } : {} } as const;
  return withMoneyRefusal(api.dataPanel.resolve({ ...(await withSignature(values, proposal, shown)), onlySigns }));
}

const readFreeze = async (api: Api): Promise<void> => $freeze.set((await api.dataPanel.freeze()).open);

const liftingParams = paramSpecAfter(
  readFreeze,
  paramSpec(
    () => schemas().then(({ freezeReason }) => freezeReason),
    { reason: { as: 'multiline', label: 'dataPanel.field.reason', hint: 'dataPanel.hint.reason' } },
    () => {
      const open = $freeze.get();
      return open ? { freeze: open.id } : {};
    },
  ),
);

/** With an authority log, only the last signature lifts the freeze. */
function liftingWording(): ConfirmWording {
  const freeze = $freeze.get();
  if (!freeze) return { lead: [{ key: 'dataPanel.freeze.liftsNow.all' }] };
  const missing = missingLiftSignatures(freeze);
  if (missing > 0) return { variant: 'sign', lead: [{ key: 'dataPanel.freeze.more', values: { n: missing } }], onlySigns: true };
  const stays = remainingFreeze(freeze.others);
  return { ...(stays && { variant: 'other' }), lead: [{ key: `dataPanel.freeze.liftsNow.${stays ?? 'all'}` }] };
}

const remainingFreeze = ({ ledger, log }: OtherFreezes) => (ledger > 0 ? 'ledger' : log > 0 ? 'log' : null);

function mayLift(): true | BlockReason {
  const freeze = $freeze.get();
  if (freeze === null) return blockedBecause('dataPanel.freeze.none');
  if (!freeze) return true;
  const me = $loginEmail.get();
  const { lifting, kind, by } = freeze;
  if (lifting === null) return kind === 'manual' && by === me ? blockedBecause('deposits.refused.OWN_FREEZE') : true;
  return !lifting.own || lifting.missing === 0 || blockedBecause('dataPanel.freeze.youSigned', { n: lifting.missing });
}

const placeOf = (address: string): string => addressBeside(place, 'open', address);

export const dataPanel = [
  defineCommand({
    id: 'dataPanel.refresh',
    permission: place,
    icon: 'refresh-cw',
    place,
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['shift+r'],
    run: () => {},
    done: (): CommandResult => ({ stale, toast: { key: 'dataPanel.refreshed' } }),
  }),
  defineCommand({
    id: 'dataPanel.freezeMoney',
    permission: 'dataPanel.freezeMoney',
    icon: 'vault',
    place: 'global',
    target: noTarget,
    params: paramSpec(() => schemas().then(({ manualFreeze }) => manualFreeze), {
      reason: { as: 'multiline', label: 'dataPanel.field.reason', hint: 'dataPanel.hint.freezeReason' },
    }),
    danger: 'irreversible',
    oneStep: true,
    keys: ['shift+z'],
    run: ({ api, params: values }) => api.dataPanel.freezeMoney(values),
    done: (): CommandResult => ({ stale, toast: { key: 'dataPanel.freeze.frozen' } }),
  }),
  defineCommand({
    id: 'dataPanel.resolve',
    permission: 'dataPanel.resolve',
    icon: 'shield-off',
    place,
    target: noTarget,
    params: liftingParams,
    when: mayLift,
    danger: 'money',
    oneStep: true,
    confirmWording: liftingWording,
    consequences: async ({ api }) => acceptedDifferences(await api.dataPanel.reconciliation()),
    run: ({ api, params: values, onlySigns }) => withSigningKey(() => resolve(api, values, onlySigns)),
    done: ({ missing, others }): CommandResult => ({
      stale,
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
    place,
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
    place,
    target: oneTarget('institutions'),
    params: recordParams(
      'institutions',
      () => schemas().then(({ institutionName }) => institutionName),
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
      stale,
      undo: invocation('dataPanel.rename', { targets: [{ id, version }], params: { name: before } }),
    }),
  }),
  defineCommand({
    id: 'dataPanel.open',
    permission: place,
    icon: 'book-open',
    place,
    target: oneTarget('institutions'),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui, targets: [target] }) => {
      if (target) ui.navigate(placeOf(target.id));
    },
  }),
  defineCommand({
    ...copyCommand,
    id: 'dataPanel.copyAddress',
    permission: place,
    place,
    target: oneTarget('institutions'),
    run: ({ ui, targets }) => ui.copy(firstOf(targets).id),
  }),
  explorerCommands('dataPanel.explore', 'institutions', place, ({ row }) => evmExplorerTarget.address(row.address)),
];
