import type { ReactNode } from 'react';
import { valueText } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { joinList } from '../../i18n/punctuation.ts';
import { Button } from '../button.tsx';
import type { FieldView } from './field-view.ts';
import type { EditConflict } from './merge.ts';
import { toInputTime } from './input-text.ts';
import type { ConflictSide } from './use-form.ts';
import { toInputText } from './units-field.tsx';
import { useOptions } from './use-options.tsx';

interface ConflictPanelProps {
  id: string;
  view: FieldView;
  mine: unknown;
  clash: EditConflict;
  onSettle: (side: ConflictSide) => void;
}

/** Offers both values and the original, one press each. */
export function ConflictPanel({ id, view, mine, clash: { theirs, original }, onSettle }: ConflictPanelProps) {
  const sideRows = [
    { whose: 'theirs', value: theirs, label: 'form.theirs', act: 'form.takeTheirs' },
    { whose: 'mine', value: mine, label: 'form.mine', act: 'form.keepMine' },
    { whose: 'original', value: original, label: 'form.original', act: 'form.takeOriginal' },
  ] as const;
  return (
    <div
      role="group"
      aria-labelledby={`${id}-title`}
      data-clash
      className="flex flex-col gap-2 rounded-control bg-warn-bg px-3 py-2 text-body text-warn-text"
    >
      <p id={`${id}-title`} className="font-medium">
        {t('form.clash')}
      </p>
      {sideRows.map(({ whose, value, label, act }, index) => (
        <div key={whose} data-whose={whose} className="flex flex-wrap items-start gap-x-3 gap-y-1">
          <span className="w-16 shrink-0 pt-1 text-meta">{t(label)}</span>
          <span className="max-h-32 min-w-40 flex-1 overflow-y-auto pt-0.5 break-words whitespace-pre-wrap" dir="auto">
            <Value view={view} value={value} original={original} />
          </span>
          <Button id={index === 0 ? id : undefined} onClick={() => onSettle(whose)}>
            {t(act)}
          </Button>
        </div>
      ))}
    </div>
  );
}

/** For a list, its changes from the original. */
function Value({ view, value, original }: { view: FieldView; value: unknown; original: unknown }): ReactNode {
  if (view.as === 'tree') return <ListedValue load={view.nodes} nameOf={readIdsAndName} value={value} original={original} />;
  if (view.as === 'picks') return <ListedValue load={view.options} nameOf={readIdsAndName} value={value} original={original} />;
  if (view.as === 'time' && typeof value === 'string') return toInputTime(value);
  if (view.as === 'units') return toInputText(valueText(value), view);
  if (view.as === 'flag') return t(value === true ? 'form.yes' : 'form.no');
  const option = view.as === 'choice' ? view.options.find((option) => option.value === value) : undefined;
  return option ? t(option.label) : valueText(value) || '—';
}

const readIdsAndName = (
  option: { label: string } & ({ id: string; identifier: string } | { value: string }),
): [string[], string] => ['id' in option ? [option.id, option.identifier] : [option.value], option.label];

interface ListedProps<T> {
  load: (signal: AbortSignal) => Promise<readonly T[]>;
  nameOf: (option: T) => [ids: string[], name: string];
  value: unknown;
  original: unknown;
}

function ListedValue<T>({ load, nameOf, value, original }: ListedProps<T>) {
  const { options, failure } = useOptions(load);
  if (failure) return failure;
  const names = new Map((options ?? []).flatMap((option) => nameOf(option)[0].map((id) => [id, nameOf(option)[1]] as const)));
  const list = (from: unknown) => (Array.isArray(from) ? from.map(valueText) : []);
  const [currentIds, originalIds] = [list(value), list(original)];
  const joinNames = (ids: string[]) => joinList(ids.map((id) => names.get(id) ?? id));
  const [addedIds, removedIds] = [
    currentIds.filter((id) => !originalIds.includes(id)),
    originalIds.filter((id) => !currentIds.includes(id)),
  ];
  if (options === null) return '…';
  if (addedIds.length + removedIds.length === 0) return joinNames(currentIds) || '—';
  return (
    <>
      {addedIds.length > 0 && (
        <span className="block">{t('form.treeAdded', { count: addedIds.length, names: joinNames(addedIds) })}</span>
      )}
      {removedIds.length > 0 && (
        <span className="block">{t('form.treeRemoved', { count: removedIds.length, names: joinNames(removedIds) })}</span>
      )}
    </>
  );
}
