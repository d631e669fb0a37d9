import type { CommandId } from '../../../../api/names.ts';
import type { Target } from '../../../lib/scope.ts';
import type { FormValues } from '../../../lib/ui/form/field-view.ts';

/** Why a question cannot be answered with yes: for now, while something is read, or as things stand. */
export interface Block {
  text: string;
  isWaiting: boolean;
}

/** What a command's panel is told of the question it stands beside. */
export interface PanelProps {
  targets: readonly Target[];
  command: CommandId;
  /** What is being typed; null in a review. */
  values: FormValues | null;
  /** What it will be told; null while it is typed. */
  params: FormValues | null;
  /** Says why a review cannot be answered with yes, and that it can (null), where the command is `vouched`. */
  block?: ((why: Block | null) => void) | undefined;
}
