import type { AuthoritySummary, StatementRow } from '../../../api/authority/contract.ts';
import type { ProposedKind } from '../../../api/authority/values.ts';
import type { LogStatement } from '../../../api/authority/statements.ts';
import { secondsText } from '../../lib/authority/words.ts';
import { $loginEmail } from '../../lib/session/session.ts';
import type { ConfirmWording, MessageRef } from '../engine/define.ts';
import { $authority } from './state.ts';

// States exactly what one press does: propose, propose and sign, sign, or sign as the last.

const coolingKinds: ReadonlySet<string> = new Set<ProposedKind>([
  'approver.add',
  'policy.set',
  'minter.set',
  'custody.add',
  'receiver.add',
]);

export function proposalWording(kind: ProposedKind): ConfirmWording {
  const summary = $authority.get();
  if (!summary) return {};
  const neededSignatures = summary.needed[kind];
  if (!isSigner(summary))
    return { lead: [{ key: 'authority.press.proposes', values: { count: neededSignatures } }, effectOf(kind, false)] };
  const missing = neededSignatures - 1;
  const introduction: MessageRef[] =
    missing > 0
      ? [{ key: 'authority.press.signs', values: { count: missing } }, effectOf(kind, false)]
      : [{ key: 'authority.press.alone' }, effectOf(kind, true)];
  return { variant: 'sign', lead: introduction, onlySigns: missing > 0 };
}

/** The owner's signature proves possession and approves nothing. */
export function enrollmentWording(): ConfirmWording {
  const summary = $authority.get();
  if (!summary) return {};
  return {
    lead: [{ key: 'authority.press.proves', values: { count: summary.needed['approver.add'] } }, effectOf('approver.add', false)],
    onlySigns: true,
  };
}

export function signatureWording(row: StatementRow): ConfirmWording {
  const { statement, missing } = row;
  const isOwnKey = statement.kind === 'approver.add' && statement.content.name === $loginEmail.get();
  const onlySigns = missing > 1;
  const remainingSignatures = { count: missing - 1 };
  if (isOwnKey)
    return onlySigns
      ? { lead: [{ key: 'authority.press.proves', values: remainingSignatures }, effectOf(statement.kind, false)], onlySigns }
      : { lead: [{ key: 'authority.press.provesLast' }, effectOf(statement.kind, true)] };
  if (onlySigns)
    return { lead: [{ key: 'authority.press.more', values: remainingSignatures }, ...effectsOf(statement)], onlySigns };
  return { lead: [finalEffectOf(statement)] };
}

/** In a demo, signing enrolls the person. */
export function isSigner({ people, development }: AuthoritySummary): boolean {
  const currentPerson = people.find(({ name }) => name === $loginEmail.get());
  return currentPerson ? currentPerson.keys.some(({ cooling: isCoolingDown }) => !isCoolingDown) : development;
}

function effectOf(kind: string, isLast: boolean): MessageRef {
  const seconds = coolingSecondsOf(kind, $authority.get());
  const signedBy = isLast ? 'you' : 'all';
  return seconds === 0
    ? { key: `authority.press.now.${signedBy}` }
    : { key: `authority.press.later.${signedBy}`, values: { time: secondsText(seconds) } };
}

/** Until a statement of this kind is in force after its last signature. */
export const coolingSecondsOf = (kind: string, summary: AuthoritySummary | null): number =>
  coolingKinds.has(kind) ? (summary?.rules.find(({ inForce }) => inForce)?.policy.coolingSeconds ?? 0) : 0;

/** Mints, refunds and lifting a freeze of the ledger need a command of their own afterwards. */
const effectsOf = (statement: LogStatement): MessageRef[] =>
  hasFollowingEffect(statement) ? [] : [effectOf(statement.kind, false)];

const hasFollowingEffect = ({ kind, content }: LogStatement): boolean =>
  kind === 'mint.approve' || kind === 'refund.approve' || (kind === 'unfreeze' && !/^\d+$/.test(content.freeze));

function finalEffectOf(statement: LogStatement): MessageRef {
  if (statement.kind === 'mint.approve') return { key: 'authority.press.thenConfirm' };
  if (statement.kind === 'refund.approve') return { key: 'signing.press.thenRequest' };
  if (statement.kind === 'mint.cancel') return { key: 'authority.press.voids' };
  if (hasFollowingEffect(statement)) return { key: 'authority.press.thenLift' };
  return effectOf(statement.kind, true);
}
