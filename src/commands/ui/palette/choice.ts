import type { ViewRow } from '../../../../api/saved-views/contract.ts';
import type { EntityName, Target } from '../../../lib/scope.ts';
import type { Macro } from '../../macros/macro.ts';
import type { OfferedFilter } from './filter-rows.tsx';
import type { HelpHit } from './search/help.ts';
import type { CommandRow } from './rows.ts';

export type Choice =
  | ({ kind: 'command' } & CommandRow)
  /** Null target: opened recently, not refetched yet. */
  | { kind: 'record'; entity: EntityName; id: string; name: string; target: Target | null }
  | { kind: 'macro'; macro: Macro }
  | { kind: 'view'; view: ViewRow }
  | { kind: 'filter'; filter: OfferedFilter }
  | { kind: 'help'; help: HelpHit };
