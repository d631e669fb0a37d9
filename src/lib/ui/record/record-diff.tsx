import type { ReactNode } from 'react';
import { t } from '../../i18n/i18n.ts';
import { diffLists, diffRecords, diffWords, type FieldChange } from './diff.ts';
import type { RecordFields, DisplayKind } from './fields.ts';
import { FieldList, isBlockField, isPlainRecord, isDisplayed, RecordedValue } from './recorded-value.tsx';

interface RecordDiffProps {
  /** Missing and technical fields are hidden. */
  fields: RecordFields;
  before: unknown;
  after: unknown;
}

/** The changes, or all fields if only one side exists. */
export function RecordedChange({ fields, before, after }: RecordDiffProps) {
  if (isPlainRecord(before) && isPlainRecord(after)) return <RecordDiff fields={fields} before={before} after={after} />;
  const onlyRecord = isPlainRecord(after) ? after : before;
  return isPlainRecord(onlyRecord) ? (
    <FieldList fields={fields} record={onlyRecord} />
  ) : (
    <p className="text-2">{t('record.diff.none')}</p>
  );
}

type DisplayedChange = FieldChange & { shown: Exclude<RecordFields[string], { as: 'technical' }> };

/** Unchanged fields are collapsed. */
export function RecordDiff({ fields, before, after }: RecordDiffProps) {
  const changes = computeChanges(fields, before, after);
  const changedFields = changes.filter(({ kind }) => kind !== 'same');
  const unchangedFields = changes.filter(({ kind }) => kind === 'same');
  if (changes.length === 0) return <p className="text-2">{t('record.diff.none')}</p>;
  return (
    <div data-diff className="flex flex-col gap-3">
      {changedFields.length === 0 && <p className="text-2">{t('record.diff.unchanged')}</p>}
      <ChangedFields changes={changedFields} />
      {unchangedFields.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-control py-1 text-meta text-2">
            {t('record.diff.same', { n: unchangedFields.length })}
          </summary>
          <div className="pt-2">
            <ChangedFields changes={unchangedFields} />
          </div>
        </details>
      )}
    </div>
  );
}

/** Without technical fields, in the order of `fields`. */
function computeChanges(fields: RecordFields, before: unknown, after: unknown): DisplayedChange[] {
  const changes = new Map(diffRecords(before, after).map((fieldChange) => [fieldChange.field, fieldChange]));
  return Object.entries(fields).flatMap(([name, display]) => {
    const fieldChange = changes.get(name);
    return fieldChange && isDisplayed(display) ? [{ ...fieldChange, shown: display }] : [];
  });
}

const ChangedFields = ({ changes }: { changes: readonly DisplayedChange[] }) => (
  <dl className="flex flex-col gap-2">
    {changes.map((fieldChange) => (
      <div key={fieldChange.field} data-field={fieldChange.field} data-kind={fieldChange.kind}>
        <dt className="text-meta text-2">{t(fieldChange.shown.label)}</dt>
        <dd className="min-w-0 break-words whitespace-pre-wrap" dir="auto">
          <FieldChangeRow change={fieldChange} shown={fieldChange.shown} />
        </dd>
      </div>
    ))}
  </dl>
);

function FieldChangeRow({ change: { kind, before, after }, shown: display }: { change: FieldChange; shown: DisplayKind }) {
  const block = isBlockField(display);
  const previousView = <RecordedValue shown={display} value={before} />;
  const currentView = <RecordedValue shown={display} value={after} />;
  if (kind === 'same') return currentView;
  if (kind === 'added') return <AddedValue block={block}>{currentView}</AddedValue>;
  if (kind === 'removed') return <RemovedValue block={block}>{previousView}</RemovedValue>;
  const listDiff = display.as === 'list' ? diffLists(before, after) : null;
  if (listDiff && display.as === 'list') return <ListChanges lists={listDiff} of={display.of} />;
  if (
    display.as === 'text' &&
    typeof before === 'string' &&
    typeof after === 'string' &&
    before.length + after.length > longTextLength
  )
    return <WordChanges before={before} after={after} />;
  return (
    <>
      <RemovedValue block={block}>{previousView}</RemovedValue>
      <span aria-hidden="true" className="px-1.5 text-2">
        →
      </span>
      <AddedValue block={block}>{currentView}</AddedValue>
    </>
  );
}

function ListChanges({ lists, of }: { lists: NonNullable<ReturnType<typeof diffLists>>; of: DisplayKind }) {
  const block = isBlockField(of);
  return (
    <span className="flex flex-col items-start gap-0.5">
      {lists.removed.map((item, index) => (
        <RemovedValue key={index} block={block}>
          <RecordedValue shown={of} value={item} />
        </RemovedValue>
      ))}
      {lists.added.map((item, index) => (
        <AddedValue key={index} block={block}>
          <RecordedValue shown={of} value={item} />
        </AddedValue>
      ))}
      {lists.unchanged > 0 && <span className="text-meta text-2">{t('record.diff.kept', { n: lists.unchanged })}</span>}
    </span>
  );
}

/** From this many characters on, changed words are marked within the text. */
const longTextLength = 80;

function WordChanges({ before, after }: { before: string; after: string }) {
  return diffWords(before, after).map(({ kind, text }, index) =>
    kind === 'removed' ? (
      <RemovedValue key={index}>{text}</RemovedValue>
    ) : kind === 'added' ? (
      <AddedValue key={index}>{text}</AddedValue>
    ) : (
      <span key={index}>{text}</span>
    ),
  );
}

interface SideProps {
  block?: boolean;
  children: ReactNode;
}

const RemovedValue = ({ block = false, children }: SideProps) => (
  <del className={`rounded-chip bg-bad-bg px-0.5 text-bad-text ${block ? 'block px-2 py-1' : ''}`}>
    <span className="sr-only">{t('record.diff.removed')}</span>
    {children}
  </del>
);
const AddedValue = ({ block = false, children }: SideProps) => (
  <ins className={`rounded-chip bg-ok-bg px-0.5 text-ok-text no-underline ${block ? 'block px-2 py-1' : ''}`}>
    <span className="sr-only">{t('record.diff.added')}</span>
    {children}
  </ins>
);
