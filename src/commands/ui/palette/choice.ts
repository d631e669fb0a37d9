import type { ViewRow } from '../../../../api/saved-views/contract.ts';
import type { EntityName, Target } from '../../../lib/scope.ts';
import type { Macro } from '../../macros/macro.ts';
import type { OfferedFilter } from './filter-rows.tsx';
import type { CommandRow } from './rows.ts';

/** Something that can be chosen. */
export type Choice =
  | ({ kind: 'command' } & CommandRow)
  /** Without a target: opened lately, and not read again yet. */
  | { kind: 'record'; entity: EntityName; id: string; name: string; target: Target | null }
  | { kind: 'macro'; macro: Macro }
  | { kind: 'view'; view: ViewRow }
  | { kind: 'filter'; filter: OfferedFilter };
