import type { AuthoritySummary, StatementRow } from '../../../api/authority/contract.ts';
import { authorityNames } from '../../../api/authority/names.ts';
import type { LogPosition } from '../../../api/authority/signing.ts';
import type { AuthorityKey, Proof } from '../../../api/authority/statements.ts';
import { isSigningDeclined } from '../../lib/authority/problem.ts';
import { formatTime } from '../../lib/format.ts';
import { t, type TextKey } from '../../lib/i18n/i18n.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { ApiError, type Api } from '../../lib/net/client.ts';
import { readShown } from '../../lib/net/query.ts';
import { forgetUnlessAccepted } from '../../lib/session/passkeys.ts';
import { $loginEmail } from '../../lib/session/session.ts';
import { openCommand } from '../engine/crud.ts';
import {
  defineCommand,
  blockedBecause,
  type BlockReason,
  noTarget,
  oneTarget,
  firstOf,
  type CommandResult,
  copyCommand,
} from '../engine/define.ts';
import {
  choiceField,
  paramSpec,
  paramSpecAfter,
  pickField,
  multiPickField,
  textField,
  type FieldContext,
  type FieldOption,
} from '../engine/fields.ts';
import { bandsText, splitAddresses } from '../../lib/authority/bands.ts';
import { rulesOf } from './rules.ts';
import { withMoneyRefusal } from './shared/refusals.ts';
import { enrollmentWording, proposalWording, signatureWording } from './wordings.ts';
import { readLogPosition, createProof, canSignAlone, withSigningKey } from './shared/signing.ts';
import { $authority } from './state.ts';

addNames(authorityNames);

const screenPath = '/selfCustody/authority';
const staleQueries = ['statements', 'authority', 'addressNames', 'home'];
const loadSchemas = () => import('./schemas.ts');

const reason = { as: 'multiline', label: 'authority.field.reason', hint: 'authority.hint.reason' } as const;

const optionsFromLog =
  (getOptions: (summary: Awaited<ReturnType<Api['authority']['summary']>>) => FieldOption[]) =>
  async ({ api, signal }: FieldContext): Promise<FieldOption[]> =>
    getOptions(await api.authority.summary(undefined, { signal }));

/** Blocks only while the log is on screen. Elsewhere the form reads the log and gives the reason. */
const unlessNone = (entriesOf: (summary: AuthoritySummary) => readonly unknown[], reason: TextKey) => (): true | BlockReason => {
  const summary = readShown<AuthoritySummary>(['authority', 'summary']);
  return summary === undefined || entriesOf(summary).length > 0 || blockedBecause(reason);
};

/** Roles that rules may name: those of people, and those that the rules in force name. */
async function rolesInLog({ api, signal }: FieldContext): Promise<readonly string[]> {
  const { people, rules } = await api.authority.summary(undefined, { signal });
  const now = rules.find(({ inForce }) => inForce)?.policy;
  const roleNames = [...(now?.bands ?? []), ...(now?.refundBands ?? [])].flatMap(({ role }) => role ?? []);
  return [...new Set([...people.flatMap(({ roles }) => roles), ...roleNames])].toSorted();
}

const loadAuthority = async (api: Api): Promise<void> => $authority.set(await api.authority.summary());

/** Reads the log first, because a link, the palette or a script may open the form anywhere. */
const paramsByLog: typeof paramSpec = (...form) => paramSpecAfter(loadAuthority, paramSpec(...form));

/** The proposal stays if the person stops before signing. */
async function proposeAndSign(
  { api, onlySigns }: { api: Api; onlySigns: boolean },
  proposal: Promise<StatementRow>,
  content: Record<string, unknown>,
): Promise<StatementRow> {
  const row = await withMoneyRefusal(proposal);
  if (!row.mine) return row;
  const { own, genesis } = await api.authority.summary();
  if (!canSignAlone(own)) return row;
  return withSigningKey(async () =>
    signStatement(api, row, content, { keys: own, place: await readLogPosition(api, { genesis }), onlySigns }),
  );
}

/** Returns the proposed row if the key or wallet refused. */
async function signStatement(
  api: Api,
  row: StatementRow,
  content: Record<string, unknown>,
  signingContext: { keys: readonly AuthorityKey[]; place: LogPosition; onlySigns: boolean },
): Promise<StatementRow> {
  const { statement } = row;
  if (statement.kind === 'genesis') return row;
  let proof: Proof | undefined;
  try {
    proof = await createProof(statement, { kind: statement.kind, content, hash: row.id }, signingContext);
  } catch (error) {
    if (isSigningDeclined(error)) return row;
    throw error;
  }
  const input = { id: row.id, onlySigns: signingContext.onlySigns };
  return withMoneyRefusal(api.authority.sign(proof ? { ...input, proof } : input));
}

function toProposedResult(row: StatementRow): CommandResult {
  const { number, state, from } = row;
  if (number === null) return { stale: staleQueries, toast: { key: 'signing.done.drafted' } };
  const statementNumber = number;
  if (state === 'inForce')
    return { stale: staleQueries, toast: { key: 'authority.done.inForce', values: { number: statementNumber } } };
  if (state === 'cooling')
    return {
      stale: staleQueries,
      toast: { key: 'authority.done.cooling', values: { number: statementNumber, time: formatTime(from ?? '') } },
    };
  return {
    stale: staleQueries,
    toast: { key: 'authority.done.proposed', values: { number: statementNumber, count: row.missing } },
  };
}

export const authority = [
  defineCommand({
    id: 'authority.sign',
    permission: 'authority.sign',
    icon: 'user-check',
    place: screenPath,
    target: oneTarget('statements'),
    params: null,
    panel: 'authority',
    requiresPanelApproval: true,
    refreshesTargets: true,
    ready: loadAuthority,
    confirmWording: ({ targets }) => signatureWording(firstOf(targets).row),
    when: ({ targets: [target] }) => {
      if (!target) return true;
      const { row } = target;
      if (row.mine) return true;
      if (row.state === 'expired') return blockedBecause('authority.blocked.expired');
      if (row.state === 'voided') return blockedBecause('authority.blocked.voided');
      if (row.state !== 'open' && row.state !== 'draft') return blockedBecause('authority.blocked.passed');
      const email = $loginEmail.get();
      if (row.signed.some(({ name }) => name === email)) return blockedBecause('authority.blocked.signed');
      const { kind } = row.statement;
      const canBeAuthor = (kind === 'mint.approve' || kind === 'refund.approve') && ($authority.get()?.own.length ?? 0) > 0;
      return blockedBecause(canBeAuthor ? 'authority.blocked.author' : 'authority.blocked.notMine');
    },
    danger: 'money',
    keys: ['shift+a'],
    run: async ({ api, targets, onlySigns }) => {
      const { row } = firstOf(targets);
      const { statement } = row;
      if (statement.kind === 'genesis') throw new ApiError('NOT_FOUND');
      const { own, genesis } = await api.authority.summary();
      const isEnrollment = statement.kind === 'approver.add';
      const isOwnKey = isEnrollment && statement.content.name === $loginEmail.get();
      const keys = isOwnKey ? [statement.content.key] : own;
      const input = { id: row.id, onlySigns, ...(isEnrollment && !isOwnKey && { heard: true as const }) };
      return withSigningKey(async () => {
        const [now] = await api.authority.many({ ids: [row.id] });
        const displayedStatement = { kind: statement.kind, content: statement.content, hash: row.id };
        const displayedRules = now && now.statement.kind !== 'genesis' ? now.statement : statement;
        const proof = await createProof(displayedRules, displayedStatement, {
          keys,
          place: await readLogPosition(api, { genesis }),
        });
        return withMoneyRefusal(api.authority.sign(proof ? { ...input, proof } : input));
      });
    },
    done: (row): CommandResult => {
      if (row.number === null) return { stale: staleQueries, toast: { key: 'signing.done.shown' } };
      return row.state === 'open'
        ? { stale: staleQueries, toast: { key: 'authority.done.signed', values: { number: row.number, count: row.missing } } }
        : { stale: staleQueries, toast: { key: 'authority.done.counts', values: { number: row.number } } };
    },
  }),
  defineCommand({
    id: 'authority.enrol',
    permission: 'authority.enrol',
    icon: 'key-round',
    place: screenPath,
    target: noTarget,
    params: paramsByLog(
      () => loadSchemas().then(({ enrollSchema }) => enrollSchema),
      {
        with: choiceField('authority.field.with', [
          { value: 'passkey', label: 'authority.with.passkey' },
          { value: 'wallet', label: 'authority.with.wallet' },
        ]),
      },
      () => ({ with: 'passkey' }),
    ),
    danger: 'money',
    oneStep: true,
    confirmWording: enrollmentWording,
    run: async ({ api, ui, params: { with: keyKind }, onlySigns }) => {
      // Checks the second factor before a key is created, because a retry would create another key.
      const { keys, place: log } = await api.authority.enrolment();
      return withSigningKey(async () => {
        const { createPasskey, getConnectedWallet } = await import('../../lib/authority/sign.ts');
        const key = keyKind === 'passkey' ? await createPasskey($loginEmail.get(), log, keys) : await getConnectedWallet(log);
        const enrollment = api.authority.enrol({ key });
        const row = await withMoneyRefusal(
          key.type === 'passkey' ? forgetUnlessAccepted(log.rpId, key.credential, enrollment) : enrollment,
        );
        const signedStatement = await signStatement(
          api,
          row,
          { name: $loginEmail.get(), key },
          { keys: [key], place: log, onlySigns },
        );
        // The record shows the six words of the key.
        ui.navigate(`${screenPath}?open=${signedStatement.id}`);
        return signedStatement;
      });
    },
    done: (row): CommandResult =>
      row.mine
        ? toProposedResult(row)
        : { stale: staleQueries, toast: { key: 'signing.done.enrolled', values: { count: row.missing } } },
  }),
  defineCommand({
    id: 'authority.removeApprover',
    permission: 'authority.removeApprover',
    icon: 'user-x',
    place: screenPath,
    target: noTarget,
    params: paramsByLog(() => loadSchemas().then(({ removeApproverSchema }) => removeApproverSchema), {
      person: pickField(
        'authority.field.name',
        optionsFromLog(({ people }) =>
          people.map(({ person, name, keys }) => ({
            value: person,
            label: name,
            note: keys.map(({ key }) => t(`authority.key.${key.type}`)).join(' · '),
          })),
        ),
      ),
      reason,
    }),
    when: unlessNone(({ people }) => people, 'authority.blocked.noApprovers'),
    danger: 'money',
    oneStep: true,
    panel: 'authority',
    requiresPanelApproval: true,
    confirmWording: () => proposalWording('approver.remove'),
    run: async ({ api, params: { person, reason: reasonText }, onlySigns }) => {
      const { people } = await api.authority.summary();
      const name = people.find((candidate) => candidate.person === person)?.name;
      if (name === undefined) throw new ApiError('NOT_FOUND');
      const input = { person, reason: reasonText };
      return proposeAndSign({ api, onlySigns }, api.authority.removeApprover(input), { ...input, name });
    },
    done: toProposedResult,
  }),
  defineCommand({
    id: 'authority.setRules',
    permission: 'authority.setRules',
    reviewNamesParams: true,
    icon: 'layers',
    place: screenPath,
    target: noTarget,
    params: paramsByLog(
      () => loadSchemas().then(({ rulesSchema }) => rulesSchema),
      {
        root: { as: 'number', label: 'authority.field.root', hint: 'authority.hint.root' },
        coolingSeconds: { as: 'number', label: 'authority.field.cooling', hint: 'authority.hint.cooling' },
        receivers: choiceField('authority.field.receiversRule', [
          { value: 'listed', label: 'authority.receiversRule.listed' },
          { value: 'any', label: 'authority.receiversRule.any' },
        ]),
        bands: { as: 'bands', label: 'authority.field.bands', roles: rolesInLog },
        refundBands: { as: 'bands', label: 'signing.field.refundBands', roles: rolesInLog },
      },
      () => {
        const now = $authority.get()?.rules.find(({ inForce }) => inForce)?.policy;
        if (!now) return { receivers: 'listed' };
        return {
          root: String(now.root),
          coolingSeconds: String(now.coolingSeconds),
          receivers: now.receivers,
          bands: bandsText(now.bands),
          refundBands: bandsText(now.refundBands),
        };
      },
    ),
    danger: 'money',
    oneStep: 'form',
    panel: 'authority',
    requiresPanelApproval: true,
    confirmWording: () => proposalWording('policy.set'),
    run: ({ api, params, onlySigns }) => {
      const content = rulesOf(params);
      return proposeAndSign({ api, onlySigns }, api.authority.setRules(content), content);
    },
    done: toProposedResult,
  }),
  defineCommand({
    id: 'authority.setMinter',
    permission: 'authority.setMinter',
    icon: 'key-round',
    place: screenPath,
    target: noTarget,
    params: paramsByLog(() => loadSchemas().then(({ setMinterSchema }) => setMinterSchema), {
      address: textField('authority.field.minter'),
      reason,
    }),
    danger: 'money',
    oneStep: 'form',
    panel: 'authority',
    requiresPanelApproval: true,
    confirmWording: () => proposalWording('minter.set'),
    run: ({ api, params: content, onlySigns }) => proposeAndSign({ api, onlySigns }, api.authority.setMinter(content), content),
    done: toProposedResult,
  }),
  defineCommand({
    id: 'authority.addCustody',
    permission: 'authority.addCustody',
    icon: 'plus',
    place: screenPath,
    target: noTarget,
    params: paramsByLog(
      () => loadSchemas().then(({ addCustodySchema }) => addCustodySchema),
      { address: textField('authority.field.custody'), note: { as: 'text', label: 'authority.field.note', optional: true } },
      () => ({ note: '' }),
    ),
    danger: 'money',
    oneStep: 'form',
    panel: 'authority',
    requiresPanelApproval: true,
    confirmWording: () => proposalWording('custody.add'),
    run: ({ api, params: content, onlySigns }) => proposeAndSign({ api, onlySigns }, api.authority.addCustody(content), content),
    done: toProposedResult,
  }),
  defineCommand({
    id: 'authority.removeCustody',
    permission: 'authority.removeCustody',
    icon: 'unlink',
    place: screenPath,
    target: noTarget,
    params: paramsByLog(() => loadSchemas().then(({ removeAddressSchema }) => removeAddressSchema), {
      address: pickField(
        'authority.field.custody',
        optionsFromLog(({ custody }) => custody.map(({ address }) => ({ value: address, label: address }))),
      ),
      reason,
    }),
    when: unlessNone(({ custody }) => custody, 'authority.blocked.noCustody'),
    danger: 'money',
    oneStep: true,
    panel: 'authority',
    requiresPanelApproval: true,
    confirmWording: () => proposalWording('custody.remove'),
    run: ({ api, params: content, onlySigns }) =>
      proposeAndSign({ api, onlySigns }, api.authority.removeCustody(content), content),
    done: toProposedResult,
  }),
  defineCommand({
    id: 'authority.addReceiver',
    permission: 'authority.addReceiver',
    icon: 'landmark',
    place: screenPath,
    target: noTarget,
    params: paramsByLog(
      () => loadSchemas().then(({ addReceiverSchema }) => addReceiverSchema),
      {
        institution: { as: 'text', label: 'authority.field.institution', helper: 'receiver' },
        address: textField('authority.field.receiver'),
        custody: multiPickField(
          'authority.field.custodyOf',
          'authority.summary.noCustody',
          optionsFromLog(({ custody }) => custody.map(({ address }) => ({ value: address, label: address }))),
        ),
        payout: { as: 'multiline', label: 'signing.field.payoutOf', hint: 'signing.hint.payout', optional: true },
      },
      () => ({ custody: [], payout: '' }),
    ),
    danger: 'money',
    oneStep: 'form',
    panel: 'authority',
    requiresPanelApproval: true,
    confirmWording: () => proposalWording('receiver.add'),
    run: ({ api, params: { payout, ...rest }, onlySigns }) => {
      const content = { ...rest, payout: splitAddresses(payout) };
      return proposeAndSign({ api, onlySigns }, api.authority.addReceiver(content), content);
    },
    done: toProposedResult,
  }),
  defineCommand({
    id: 'authority.removeReceiver',
    permission: 'authority.removeReceiver',
    icon: 'square-x',
    place: screenPath,
    target: noTarget,
    params: paramsByLog(() => loadSchemas().then(({ removeAddressSchema }) => removeAddressSchema), {
      address: pickField(
        'authority.field.receiver',
        optionsFromLog(({ receivers }) =>
          receivers.map(({ receiver: { address, institution } }) => ({ value: address, label: institution, note: address })),
        ),
      ),
      reason,
    }),
    when: unlessNone(({ receivers }) => receivers, 'authority.blocked.noReceivers'),
    danger: 'money',
    oneStep: true,
    panel: 'authority',
    requiresPanelApproval: true,
    confirmWording: () => proposalWording('receiver.remove'),
    run: ({ api, params: content, onlySigns }) =>
      proposeAndSign({ api, onlySigns }, api.authority.removeReceiver(content), content),
    done: toProposedResult,
  }),
  defineCommand({
    id: 'authority.freeze',
    permission: 'authority.freeze',
    icon: 'vault',
    place: screenPath,
    target: noTarget,
    params: paramsByLog(() => loadSchemas().then(({ freezeSchema }) => freezeSchema), { reason }),
    danger: 'money',
    oneStep: true,
    panel: 'authority',
    requiresPanelApproval: true,
    confirmWording: () => proposalWording('freeze'),
    run: ({ api, params: content, onlySigns }) => proposeAndSign({ api, onlySigns }, api.authority.freeze(content), content),
    done: toProposedResult,
  }),
  defineCommand({
    id: 'authority.unfreeze',
    permission: 'authority.unfreeze',
    icon: 'shield-off',
    place: screenPath,
    target: noTarget,
    params: paramsByLog(
      () => loadSchemas().then(({ unfreezeSchema }) => unfreezeSchema),
      {
        freeze: pickField(
          'authority.field.freeze',
          optionsFromLog(({ freezes }) =>
            freezes.map(({ freeze, reason: reasonText }) => ({ value: freeze, label: `#${freeze}`, note: reasonText })),
          ),
        ),
        reason,
      },
      () => {
        const [firstFreeze, secondFreeze] = $authority.get()?.freezes ?? [];
        return firstFreeze && !secondFreeze ? { freeze: firstFreeze.freeze } : {};
      },
    ),
    when: unlessNone(({ freezes }) => freezes, 'authority.blocked.noFreezes'),
    danger: 'money',
    oneStep: true,
    panel: 'authority',
    requiresPanelApproval: true,
    confirmWording: () => proposalWording('unfreeze'),
    run: ({ api, params: { freeze, reason: reasonText }, onlySigns }) => {
      const content = { freeze, difference: '', reason: reasonText };
      return proposeAndSign({ api, onlySigns }, api.authority.unfreeze(content), content);
    },
    done: toProposedResult,
  }),
  openCommand('authority.open', 'statements', screenPath),
  defineCommand({
    ...copyCommand,
    id: 'authority.copyHash',
    permission: screenPath,
    place: screenPath,
    target: oneTarget('statements'),
    run: ({ ui, targets }) => ui.copy(firstOf(targets).id),
  }),
  defineCommand({
    id: 'authority.export',
    permission: screenPath,
    icon: 'download',
    place: screenPath,
    target: noTarget,
    params: null,
    danger: 'none',
    run: async () => {
      const { datedName, downloadFile } = await import('../../lib/net/download.ts');
      await downloadFile('/api/selfCustody/authority/log', datedName('authority', 'jsonl'));
    },
    done: (): CommandResult => ({ toast: { key: 'authority.done.exported' } }),
  }),
];
