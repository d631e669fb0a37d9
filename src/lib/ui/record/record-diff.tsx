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
  const only = isPlainRecord(after) ? after : before;
  return isPlainRecord(only) ? <FieldList fields={fields} record={only} /> : <p className="text-2">{t('record.diff.none')}</p>;
}

type ShownChange = FieldChange & { shown: Exclude<RecordFields[string], { as: 'technical' }> };

/** Unchanged fields are collapsed. */
export function RecordDiff({ fields, before, after }: RecordDiffProps) {
  const changes = changesOf(fields, before, after);
  const moved = changes.filter(({ kind }) => kind !== 'same');
  const same = changes.filter(({ kind }) => kind === 'same');
  if (changes.length === 0) return <p className="text-2">{t('record.diff.none')}</p>;
  return (
    <div data-diff className="flex flex-col gap-3">
      {moved.length === 0 && <p className="text-2">{t('record.diff.unchanged')}</p>}
      <Fields changes={moved} />
      {same.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-control text-meta text-2">
            {t('record.diff.same', { n: same.length })}
          </summary>
          <div className="pt-2">
            <Fields changes={same} />
          </div>
        </details>
      )}
    </div>
  );
}

/** Without technical fields, in the order of `fields`. */
function changesOf(fields: RecordFields, before: unknown, after: unknown): ShownChange[] {
  const changes = new Map(diffRecords(before, after).map((change) => [change.field, change]));
  return Object.entries(fields).flatMap(([name, shown]) => {
    const change = changes.get(name);
    return change && isDisplayed(shown) ? [{ ...change, shown }] : [];
  });
}

const Fields = ({ changes }: { changes: readonly ShownChange[] }) => (
  <dl className="flex flex-col gap-2">
    {changes.map((change) => (
      <div key={change.field} data-field={change.field} data-kind={change.kind}>
        <dt className="text-meta text-2">{t(change.shown.label)}</dt>
        <dd className="min-w-0 break-words whitespace-pre-wrap" dir="auto">
          <Change change={change} shown={change.shown} />
        </dd>
      </div>
    ))}
  </dl>
);

function Change({ change: { kind, before, after }, shown }: { change: FieldChange; shown: DisplayKind }) {
  const block = isBlockField(shown);
  const was = <RecordedValue shown={shown} value={before} />;
  const is = <RecordedValue shown={shown} value={after} />;
  if (kind === 'same') return is;
  if (kind === 'added') return <Added block={block}>{is}</Added>;
  if (kind === 'removed') return <Removed block={block}>{was}</Removed>;
  const lists = shown.as === 'list' ? diffLists(before, after) : null;
  if (lists && shown.as === 'list') return <Lists lists={lists} of={shown.of} />;
  if (
    shown.as === 'text' &&
    typeof before === 'string' &&
    typeof after === 'string' &&
    before.length + after.length > longTextLength
  )
    return <Words before={before} after={after} />;
  return (
    <>
      <Removed block={block}>{was}</Removed>
      <span aria-hidden="true" className="px-1.5 text-2">
        →
      </span>
      <Added block={block}>{is}</Added>
    </>
  );
}

function Lists({ lists, of }: { lists: NonNullable<ReturnType<typeof diffLists>>; of: DisplayKind }) {
  const block = isBlockField(of);
  return (
    <span className="flex flex-col items-start gap-0.5">
      {lists.removed.map((one, at) => (
        <Removed key={at} block={block}>
          <RecordedValue shown={of} value={one} />
        </Removed>
      ))}
      {lists.added.map((one, at) => (
        <Added key={at} block={block}>
          <RecordedValue shown={of} value={one} />
        </Added>
      ))}
      {lists.unchanged > 0 && <span className="text-meta text-2">{t('record.diff.kept', { n: lists.unchanged })}</span>}
    </span>
  );
}

/** From this many characters on, changed words are marked within the text. */
const longTextLength = 80;

function Words({ before, after }: { before: string; after: string }) {
  return diffWords(before, after).map(({ kind, text }, at) =>
    kind === 'removed' ? (
      <Removed key={at}>{text}</Removed>
    ) : kind === 'added' ? (
      <Added key={at}>{text}</Added>
    ) : (
      <span key={at}>{text}</span>
    ),
  );
}

interface SideProps {
  block?: boolean;
  children: ReactNode;
}

const Removed = ({ block = false, children }: SideProps) => (
  <del className={`rounded-chip bg-bad-bg px-0.5 text-bad-text ${block ? 'block px-2 py-1' : ''}`}>
    <span className="sr-only">{t('record.diff.removed')}</span>
    {children}
  </del>
);
const Added = ({ block = false, children }: SideProps) => (
  <ins className={`rounded-chip bg-ok-bg px-0.5 text-ok-text no-underline ${block ? 'block px-2 py-1' : ''}`}>
    <span className="sr-only">{t('record.diff.added')}</span>
    {children}
  </ins>
);
