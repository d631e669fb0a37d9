import type { RecordedRow } from '../../../api/history.ts';
import type { CommandId } from '../../../api/names.ts';
import type { Target } from '../../lib/scope.ts';
import type { RecordFields } from '../../lib/ui/record/fields.ts';
import { toApiError } from '../../lib/net/client.ts';
import { invocation, manyTargets, blockedBecause, type BlockReason, type Invocation } from './define.ts';

type Versions = readonly Target<'version'>[];

export const restoreCommand = (entity: string, restoredFields: readonly string[], recordFields: RecordFields) =>
  ({
    icon: 'history',
    target: manyTargets('version', { max: 200, batches: true }),
    params: null,
    danger: 'reversible',
    confirm: true,
    when: ({ targets }: { targets: Versions }): true | BlockReason => {
      if (targets.some(({ row }) => row.entity !== entity)) return blockedBecause('audit.blocked.otherRecord');
      const hasDifference = ({ row: { record, current } }: Target<'version'>) =>
        restoredFields.some((name) => current?.[name] !== record[name]);
      return targets.length === 0 || targets.some(hasDifference) || blockedBecause('audit.blocked.same');
    },
    changes: ({ targets: [target] }: { targets: Versions }) => {
      const { record = {}, current = null } = target?.row ?? {};
      const pickFields = (row: RecordedRow) => Object.fromEntries(restoredFields.map((name) => [name, row[name]]));
      return { fields: recordFields, before: current && pickFields(current), after: pickFields(record) };
    },
  }) as const;

/** The version, and which state of the record was seen. */
export function restoreInputOf({ row: { id, current }, version }: Target<'version'>) {
  const [entry = '', state] = id.split(':');
  return {
    entry,
    state: state === 'before' ? ('before' as const) : ('after' as const),
    version: current === null ? null : version,
  };
}

/** A refusal of one does not stop the others. */
export async function restoreItems<Row>(targets: Versions, restore: (input: ReturnType<typeof restoreInputOf>) => Promise<Row>) {
  const restoredItems: { row: Row; current: RecordedRow | null }[] = [];
  const failedItems: { id: string; code: string }[] = [];
  for (const target of targets) {
    try {
      restoredItems.push({ row: await restore(restoreInputOf(target)), current: target.row.current });
    } catch (cause) {
      if (targets.length === 1) throw cause;
      failedItems.push({ id: target.id, code: toApiError(cause).code });
    }
  }
  return { done: restoredItems, failed: failedItems };
}

/** Deletions are undone with the state before the audit entry. */
export const restoreInvocation = (
  id: Extract<CommandId, `${string}.restore`>,
  kind: string,
  restoredItems: readonly { entry: string }[],
): Invocation => invocation(id, { targets: restoredItems.map(({ entry }) => `${kind}:${entry}:before`) });
