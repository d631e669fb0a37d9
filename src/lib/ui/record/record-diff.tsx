import type { ReactNode } from 'react';
import { t, tMaybe } from '../../i18n/i18n.ts';
import { diffLists, diffRecords, diffWords, type FieldChange } from './diff.ts';
import { isInstant, isOurs, saidOf } from './said.ts';

interface RecordDiffProps {
  /** The word the audit has for the record: 'news', 'administrator'. */
  entity: string;
  before: unknown;
  after: unknown;
}

/** A record field by field, before and after. What stayed is folded away. */
export function RecordDiff({ entity, before, after }: RecordDiffProps) {
  const changes = diffRecords(before, after).filter((change) => !isOurs(change.after ?? change.before));
  const moved = changes.filter(({ kind }) => kind !== 'same');
  const same = changes.filter(({ kind }) => kind === 'same');
  if (changes.length === 0) return <p className="text-2">{t('record.diff.none')}</p>;
  return (
    <div data-diff className="flex flex-col gap-3">
      {moved.length === 0 && <p className="text-2">{t('record.diff.unchanged')}</p>}
      <Fields entity={entity} changes={moved} />
      {same.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-control text-meta text-2">
            {t('record.diff.same', { n: same.length })}
          </summary>
          <div className="pt-2">
            <Fields entity={entity} changes={same} />
          </div>
        </details>
      )}
    </div>
  );
}

const Fields = ({ entity, changes }: { entity: string; changes: readonly FieldChange[] }) => (
  <dl className="flex flex-col gap-2">
    {changes.map((change) => (
      <div key={change.field} data-field={change.field} data-kind={change.kind}>
        <dt className="text-meta text-2">{fieldName(entity, change.field)}</dt>
        <dd className="min-w-0 break-words whitespace-pre-wrap" dir="auto">
          <Change change={change} say={(value) => saidOf(entity, change.field, value)} />
        </dd>
      </div>
    ))}
  </dl>
);

function Change({ change: { kind, before, after }, say }: { change: FieldChange; say: (value: unknown) => string }) {
  if (kind === 'same') return <>{say(after)}</>;
  if (kind === 'added') return <Added>{say(after)}</Added>;
  if (kind === 'removed') return <Removed>{say(before)}</Removed>;
  const lists = diffLists(before, after);
  if (lists)
    return (
      <span className="flex flex-col items-start gap-0.5">
        {lists.removed.map((one) => (
          <Removed key={one}>{one}</Removed>
        ))}
        {lists.added.map((one) => (
          <Added key={one}>{one}</Added>
        ))}
        {lists.kept > 0 && <span className="text-meta text-2">{t('record.diff.kept', { n: lists.kept })}</span>}
      </span>
    );
  if (typeof before === 'string' && typeof after === 'string' && before.length + after.length > longFrom && !isInstant(after))
    return <Words before={before} after={after} />;
  return (
    <>
      <Removed>{say(before)}</Removed>
      <span aria-hidden="true" className="px-1.5 text-2">
        →
      </span>
      <Added>{say(after)}</Added>
    </>
  );
}

/** From how many characters on a changed text is shown as one, with its changed words marked. */
const longFrom = 80;

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

const Removed = ({ children }: { children: ReactNode }) => (
  <del className="rounded-chip bg-bad-bg px-0.5 text-bad-text">
    <span className="sr-only">{t('record.diff.removed')}</span>
    {children}
  </del>
);
const Added = ({ children }: { children: ReactNode }) => (
  <ins className="rounded-chip bg-ok-bg px-0.5 text-ok-text no-underline">
    <span className="sr-only">{t('record.diff.added')}</span>
    {children}
  </ins>
);

/** A field's name: the resource's own word for it, else one that records share, else its code. */
function fieldName(entity: string, field: string): string {
  const keys = [`record.diff.field.${field}`, `${entity}.field.${field}`, `${entity}s.field.${field}`];
  for (const key of keys) {
    const word: unknown = tMaybe(key);
    if (typeof word === 'string') return word;
  }
  return field === '' ? t('record.diff.value') : field;
}
