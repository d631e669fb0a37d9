import type { StatementState } from '../../../api/authority/values.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

const chipStates = {
  draft: 'pending',
  open: 'pending',
  cooling: 'processing',
  inForce: 'done',
  voided: 'refused',
  expired: 'refused',
} as const satisfies Record<StatementState, unknown>;

export const StatementStateChip = ({ state }: { state: StatementState }) => (
  <Chip state={chipStates[state]}>{t(`authority.state.${state}`)}</Chip>
);
