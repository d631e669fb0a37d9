import type { OpenFreeze } from '../../../api/custody/contract.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { $loginEmail } from '../../lib/session/session.ts';
import type { Review } from '../engine/review.ts';
import { missingLiftSignatures } from './shared/freeze.ts';

const stateText = (isFrozen: boolean): string =>
  t(isFrozen ? 'dataPanel.freeze.review.stopped' : 'dataPanel.freeze.review.running');

const moneyChange = (before: boolean, after: boolean): NonNullable<Review['changes']> => [
  { key: 'money', label: t('dataPanel.freeze.review.money'), before: stateText(before), after: stateText(after) },
];

export const freezeReview = (openFreeze: OpenFreeze | null): Review => ({
  what: t('dataPanel.freeze.review.freeze'),
  parties: [],
  changes: moneyChange(openFreeze !== null, true),
  signatures: { signed: [], you: $loginEmail.get(), missing: 0 },
  undo: t('dataPanel.freeze.review.undoFreeze'),
});

/** `differences`: what the lifted freeze accepts, none for a freeze by hand. */
export function liftReview(freeze: OpenFreeze, differences: readonly string[]): Review {
  const { by, reason, lifting, others } = freeze;
  const missing = missingLiftSignatures(freeze);
  return {
    what: t('dataPanel.freeze.review.lift'),
    parties: [],
    facts: [
      { label: t('dataPanel.freeze.review.by'), text: by ?? t('dataPanel.freeze.review.panel') },
      ...(reason === null ? [] : [{ label: t('dataPanel.freeze.review.reason'), text: reason }]),
      ...(differences.length > 0 ? [{ label: t('dataPanel.freeze.review.accepted'), text: differences.join('\n') }] : []),
    ],
    changes: moneyChange(true, missing > 0 || others.ledger > 0 || others.log > 0),
    signatures: { signed: lifting?.signed ?? [], you: lifting?.own ? null : $loginEmail.get(), missing },
    undo: t('dataPanel.freeze.review.undoLift'),
  };
}
