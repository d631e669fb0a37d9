import { t } from '../../lib/i18n/i18n.ts';
import { joinList, labelText } from '../../lib/i18n/punctuation.ts';
import { loadWords } from '../../lib/i18n/words.ts';
import { diffRecords } from '../../lib/ui/record/diff.ts';
import { fieldText, isEmptyValue } from '../../lib/ui/record/field-text.ts';
import type { RecordField } from '../../lib/ui/record/fields.ts';
import { recorded } from './all-recorded.ts';

const maxChanges = 3;
const wordKinds: ReadonlySet<string> = new Set(['choice', 'count', 'number', 'flag', 'text']);

/** What others changed in a record: "Status: Waiting → Requested". Null: nothing that people see. */
export async function changedText(entity: string, before: object, after: object): Promise<string | null> {
  await loadWords('record');
  const fields = recorded.get(entity) ?? recorded.get(entity.replace(/s$/, ''));
  if (!fields) return null;
  const changes = diffRecords(before, after).flatMap(({ field: name, kind, before: previousValue, after: currentValue }) => {
    const field = fields[name];
    if (kind !== 'changed' || !field || field.as === 'technical' || name === 'updatedAt') return [];
    return [changeText(field, previousValue, currentValue)];
  });
  return changes.length === 0 ? null : joinList(changes.slice(0, maxChanges));
}

function changeText(field: Exclude<RecordField, { as: 'technical' }>, before: unknown, after: unknown): string {
  const label = t(field.label);
  if (!wordKinds.has(field.as)) return label;
  const [previousText, currentText] = [before, after].map((value) =>
    isEmptyValue(value) ? '—' : fieldText(field as Parameters<typeof fieldText>[0], value),
  );
  return previousText && currentText ? labelText(label, `${previousText} → ${currentText}`) : label;
}
