import type { AuthoritySummary } from '../../../../api/authority/contract.ts';
import type { ProposedKind } from '../../../../api/authority/values.ts';
import { splitAddresses } from '../../../lib/authority/bands.ts';
import { freezeText, keyText, secondsText } from '../../../lib/authority/words.ts';
import { bitcoinExplorerTarget, evmExplorerTarget } from '../../../lib/explorer.ts';
import { groupDigits, valueText } from '../../../lib/format.ts';
import { t, type TextKey } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import type { FormValues } from '../../../lib/ui/form/field-view.ts';
import type { Party, Review } from '../../engine/review.ts';
import { coolingSecondsOf, isSigner } from '../wordings.ts';

/** Proposals whose review compares the values of a form with the log. Rules have their own. */
export type ReviewedKind = Exclude<ProposedKind, 'approver.add' | 'policy.set'>;

interface Effect {
  parties: readonly Party[];
  facts?: NonNullable<Review['facts']>;
  changes: NonNullable<Review['changes']>;
  /** Why the log already holds or would refuse this. */
  problem?: TextKey | false | undefined;
}

type EffectOf = (values: Readonly<Record<string, string>>, summary: AuthoritySummary) => Effect;

const evmParty = (address: string, name?: string): Party[] =>
  /^0x[\da-f]{40}$/i.test(address) ? [{ as: 'of', at: evmExplorerTarget.address(address), ...(name && { name }) }] : [];
const bitcoinParty = (address: string, as: Party['as'] = 'of'): Party[] =>
  address === '' ? [] : [{ as, at: bitcoinExplorerTarget.address(address) }];

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** How many entries there are, and how many there will be. */
const countChange = (label: TextKey, before: number, by: number) => ({
  key: label,
  label: t(label),
  before: groupDigits(before),
  after: groupDigits(before + by),
});

const freezeChange = (before: number, by: number) => ({
  key: 'mints',
  label: t('authority.review.mints'),
  before: t(before > 0 ? 'authority.review.stopped' : 'authority.review.running'),
  after: t(before + by > 0 ? 'authority.review.stopped' : 'authority.review.running'),
});

const missingChoice = (existing: readonly unknown[], none: TextKey, choose: TextKey): Effect => ({
  parties: [],
  changes: [],
  problem: existing.length === 0 ? none : choose,
});

const effects: Readonly<Record<ReviewedKind, EffectOf>> = {
  'approver.remove': ({ person }, { people }) => {
    const removed = people.find((one) => one.person === person);
    if (!removed) return missingChoice(people, 'authority.blocked.noApprovers', 'authority.review.chooseApprover');
    return {
      parties: removed.keys.flatMap(({ key }) => (key.type === 'wallet' ? evmParty(key.address, removed.name) : [])),
      facts: [
        { label: t('authority.field.name'), text: removed.name },
        { label: t('authority.field.roles'), text: joinList(removed.roles.map(roleText)) || '—' },
        { label: t('authority.review.key'), text: removed.keys.map(({ key }) => keyText(key)).join('\n') || '—' },
      ],
      changes: [countChange('authority.field.approvers', people.length, -1)],
    };
  },
  'minter.set': ({ address = '' }, { minters }) => {
    const now = minters.findLast(({ cooling }) => !cooling)?.address ?? null;
    return {
      parties: evmParty(address),
      changes: [{ key: 'minter', label: t('authority.field.minter'), before: now, after: address || '—' }],
      problem: now !== null && isSame(now, address) && 'authority.review.sameMinter',
    };
  },
  'custody.add': ({ address = '' }, { custody }) => {
    const isListed = custody.some((one) => isSame(one.address, address));
    return {
      parties: bitcoinParty(address),
      changes: address === '' || isListed ? [] : [countChange('authority.summary.custody', custody.length, 1)],
      problem: isListed && 'authority.review.listed',
    };
  },
  'custody.remove': ({ address = '' }, { custody }) => {
    if (!custody.some((one) => one.address === address))
      return missingChoice(custody, 'authority.blocked.noCustody', 'authority.review.chooseCustody');
    return {
      parties: bitcoinParty(address),
      changes: [countChange('authority.summary.custody', custody.length, -1)],
    };
  },
  'receiver.add': ({ address = '', institution = '', payout = '', custody = '' }, { receivers }) => {
    const listed = receivers.find(({ receiver }) => isSame(receiver.address, address))?.receiver;
    const addresses = splitAddresses(payout);
    const isEqual =
      listed !== undefined &&
      listed.institution === institution &&
      [...listed.payout].toSorted().join() === addresses.toSorted().join() &&
      [...listed.custody].toSorted().join() === custody.split('\n').filter(Boolean).toSorted().join();
    return {
      parties: [...evmParty(address, institution), ...addresses.flatMap((one) => bitcoinParty(one, 'to'))],
      changes: [
        ...(listed || address === '' ? [] : [countChange('authority.summary.receivers', receivers.length, 1)]),
        ...(listed && listed.institution !== institution
          ? [{ key: 'name', label: t('authority.field.institution'), before: listed.institution, after: institution }]
          : []),
        ...(listed
          ? [
              {
                key: 'payout',
                label: t('signing.field.payoutOf'),
                before: listed.payout.join('\n') || '—',
                after: addresses.join('\n') || '—',
              },
            ]
          : []),
      ],
      problem: isEqual && 'authority.review.listed',
    };
  },
  'receiver.remove': ({ address = '' }, { receivers }) => {
    const listed = receivers.find(({ receiver }) => receiver.address === address)?.receiver;
    if (!listed) return missingChoice(receivers, 'authority.blocked.noReceivers', 'authority.review.chooseReceiver');
    return {
      parties: [...evmParty(address, listed.institution), ...listed.payout.flatMap((one) => bitcoinParty(one, 'to'))],
      changes: [countChange('authority.summary.receivers', receivers.length, -1)],
    };
  },
  freeze: (_, { freezes }) => ({
    parties: [],
    changes: [freezeChange(freezes.length, 1)],
    problem: freezes.some(({ by }) => by.includes($loginEmail.get())) && 'authority.review.ownFreeze',
  }),
  unfreeze: ({ freeze = '' }, { freezes }) => {
    const lifted = freezes.find((one) => one.freeze === freeze);
    if (!lifted) return missingChoice(freezes, 'authority.blocked.noFreezes', 'authority.review.chooseFreeze');
    return {
      parties: [],
      facts: [
        { label: t('authority.field.freeze'), text: freezeText(lifted.freeze) },
        { label: t('authority.review.frozenBy'), text: joinList(lifted.by) },
        { label: t('authority.review.frozenFor'), text: lifted.reason },
      ],
      changes: [freezeChange(freezes.length, -1)],
    };
  },
};

/** `formValues` can be incomplete, while the person fills in the form. */
export function proposalReview(
  kind: ReviewedKind,
  formValues: FormValues,
  summary: AuthoritySummary,
): { review: Review; problem: string | null } {
  const texts = Object.fromEntries(
    Object.entries(formValues).map(([name, value]) => [name, Array.isArray(value) ? value.join('\n') : valueText(value).trim()]),
  );
  const { parties, facts = [], changes, problem } = effects[kind](texts, summary);
  const canSign = isSigner(summary);
  const needed = summary.needed[kind];
  const seconds = coolingSecondsOf(kind, summary);
  const signedBy = canSign && needed === 1 ? 'you' : 'all';
  const text = problem ? t(problem) : null;
  return {
    problem: text,
    review: {
      what: t(`authority.kind.${kind}`),
      parties,
      facts: [
        ...facts,
        {
          label: t('authority.review.inForce'),
          text:
            seconds === 0
              ? t(`authority.review.atOnce.${signedBy}`)
              : t(`authority.review.after.${signedBy}`, { time: secondsText(seconds) }),
        },
      ],
      changes,
      signatures: { signed: [], you: canSign ? $loginEmail.get() : null, missing: needed - (canSign ? 1 : 0) },
      undo: t(`authority.undone.${kind === 'freeze' || kind === 'unfreeze' ? kind : 'replaced'}`),
    },
  };
}
