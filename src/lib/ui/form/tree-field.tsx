import { useId, useState, type KeyboardEvent } from 'react';
import { foldText } from '../../fold-text.ts';
import { t } from '../../i18n/i18n.ts';
import { joinList } from '../../i18n/punctuation.ts';
import { Skeleton } from '../skeleton.tsx';
import { computeCheckState, flattenTree, matchingIds, toggleTree, computeTreeStep } from '../tree/tree.ts';
import { lineClass } from './line-class.ts';
import { fieldAttributes } from './field-attributes.tsx';
import { TreeLine } from './tree-line.tsx';
import { findRepeatedReasons, RepeatedReasons } from './repeated-reasons.tsx';
import { useOptions } from './use-options.tsx';
import type { ControlProps, TreeNode } from './field-view.ts';

export interface TreeFieldProps extends ControlProps<readonly string[]> {
  /** The initial value, to describe changes. */
  start: readonly string[];
  nodes: (signal: AbortSignal) => Promise<readonly TreeNode[]>;
}

const emptySet: ReadonlySet<string> = new Set();

/** Arrows move, open and close. Space checks a node and all below it. */
export function TreeField({ nodes: loadNodes, start, ...props }: TreeFieldProps) {
  const { value, onChange } = props;
  const treeId = useId();
  const { options: nodes, failure } = useOptions(loadNodes, props);
  const [query, setQuery] = useState('');
  const [closedIds, setClosedIds] = useState(emptySet);
  const [activeNodeId, setActiveNodeId] = useState<string | null>(null);

  // Links and drafts may use identifiers instead of ids.
  const toIds = (values: readonly string[]) =>
    new Set((nodes ?? []).filter(({ id, identifier }) => values.includes(id) || values.includes(identifier)).map(({ id }) => id));
  const selectedIds = toIds(value);
  const searchText = foldText(query);
  const isMatch = ({ label, identifier, also }: TreeNode) => foldText(`${label} ${also} ${identifier}`).includes(searchText);
  const shownIds = searchText === '' ? null : matchingIds(nodes ?? [], isMatch);
  const lines = flattenTree(nodes ?? [], closedIds, shownIds);

  if (failure) return failure;
  if (nodes === null) return <Skeleton lines={6} />;

  const activeIndex = lines.findIndex(({ item }) => item.id === activeNodeId);
  // A search also shows parents. Enter acts on the first match, not on its parent.
  const focusedIndex = activeIndex >= 0 ? activeIndex : Math.max(0, shownIds ? lines.findIndex(({ item }) => isMatch(item)) : 0);
  // Nodes hidden by the search do not change with their parent.
  const isSelectable = ({ id, blocked }: TreeNode) => blocked === undefined && (shownIds === null || shownIds.has(id));
  const lineId = (id: string) => `${treeId}-${id}`;
  const repeatedReasons = findRepeatedReasons(nodes);
  const reasonsId = `${treeId}-reasons`;

  function toggleNode(id: string | undefined) {
    if (id === undefined || nodes === null) return;
    const nextIds = toggleTree(nodes, selectedIds, id, isSelectable);
    onChange(nodes.filter((node) => nextIds.has(node.id)).map((node) => node.id));
  }
  function setOpen(id: string, isOpen: boolean) {
    setClosedIds(
      (previousIds) => new Set(isOpen ? [...previousIds].filter((closedId) => closedId !== id) : [...previousIds, id]),
    );
  }
  function moveFocus(targetIndex: number) {
    const id = lines[targetIndex]?.item.id;
    if (id === undefined) return;
    setActiveNodeId(id);
    document.getElementById(lineId(id))?.scrollIntoView({ block: 'nearest' });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === 'Enter' || (event.key === ' ' && !isTyping)) {
      if (!event.repeat) toggleNode(lines[focusedIndex]?.item.id);
    } else if (isTyping && !['ArrowDown', 'ArrowUp'].includes(event.key)) return;
    else {
      const step = computeTreeStep(lines, focusedIndex, event.key, document.documentElement.dir === 'rtl');
      if (step === null) {
        if (!event.key.startsWith('Arrow')) return;
      } else if ('go' in step) moveFocus(step.go);
      else if ('open' in step) setOpen(step.open, true);
      else setOpen(step.close, false);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const activeId = lines[focusedIndex] && lineId(lines[focusedIndex].item.id);
  return (
    <div className="flex flex-col gap-2" onKeyDown={onKeyDown}>
      <input
        {...fieldAttributes(props)}
        type="search"
        aria-labelledby={props.labelledBy}
        aria-controls={treeId}
        autoComplete="off"
        placeholder={t('form.treeSearch')}
        className={lineClass}
        value={query}
        aria-activedescendant={activeId}
        onChange={({ target }) => {
          setQuery(target.value);
          setActiveNodeId(null);
        }}
      />
      <RepeatedReasons id={reasonsId} of={repeatedReasons} />
      <div
        id={treeId}
        role="tree"
        aria-multiselectable="true"
        aria-labelledby={props.labelledBy}
        aria-describedby={repeatedReasons.size > 0 ? reasonsId : undefined}
        aria-activedescendant={activeId}
        tabIndex={0}
        className="h-72 overflow-y-auto rounded-control border border-control p-1"
      >
        {lines.map((line) => (
          <TreeLine
            key={line.item.id}
            id={lineId(line.item.id)}
            line={line}
            check={computeCheckState(nodes, selectedIds, line.item.id)}
            isActive={line === lines[focusedIndex]}
            isReasonShown={line.item.blocked !== undefined && !repeatedReasons.has(line.item.blocked)}
            onToggle={() => {
              setActiveNodeId(line.item.id);
              toggleNode(line.item.id);
            }}
            onOpen={() => setOpen(line.item.id, !line.isOpen)}
          />
        ))}
        {lines.length === 0 && <p className="px-2 py-1 text-body text-2">{t('form.picksNothing')}</p>}
      </div>
      <SelectionDifference nodes={nodes} before={toIds(start)} after={selectedIds} />
    </div>
  );
}

function SelectionDifference({
  nodes,
  before,
  after,
}: {
  nodes: readonly TreeNode[];
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}) {
  const describeDifference = (baseIds: ReadonlySet<string>, compareIds: ReadonlySet<string>) =>
    nodes.filter(({ id }) => compareIds.has(id) && !baseIds.has(id)).map(({ label }) => label);
  const [addedNames, removedNames] = [describeDifference(before, after), describeDifference(after, before)];
  return (
    <div role="status" data-difference className="flex flex-col gap-1 text-meta text-2">
      <p className="tabular-nums">{t('form.treeChosen', { n: after.size, all: nodes.length })}</p>
      {addedNames.length > 0 && (
        <p className="text-1">{t('form.treeAdded', { count: addedNames.length, names: joinList(addedNames) })}</p>
      )}
      {removedNames.length > 0 && (
        <p className="text-1">{t('form.treeRemoved', { count: removedNames.length, names: joinList(removedNames) })}</p>
      )}
    </div>
  );
}
