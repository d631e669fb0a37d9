import type { CommandId } from '../../../../api/names.ts';
import type { Target } from '../../../lib/scope.ts';
import type { FormValues } from '../../../lib/ui/form/field-view.ts';

export interface ConfirmBlock {
  text: string;
  isWaiting: boolean;
}

export interface PanelProps {
  targets: readonly Target[];
  command: CommandId;
  values: FormValues | null;
  /** Null while typing. */
  params: FormValues | null;
  /** Null: it can be confirmed. Used if the command has `requiresPanelApproval`. */
  block?: ((blockState: ConfirmBlock | null) => void) | undefined;
}
