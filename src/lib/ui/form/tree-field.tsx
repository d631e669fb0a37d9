import { useId, useState, type KeyboardEvent } from 'react';
import { foldText } from '../../fold-text.ts';
import { t } from '../../i18n/i18n.ts';
import { joinList } from '../../i18n/punctuation.ts';
import { Skeleton } from '../skeleton.tsx';
import { checkStateOf, treeRowsOf, matchingIds, toggleTree, treeStep } from '../tree/tree.ts';
import { lineClass } from './line-class.ts';
import { fieldAttributes } from './field-attributes.tsx';
import { TreeLine } from './tree-line.tsx';
import { useOptions } from './use-options.tsx';
import type { ControlProps, TreeNode } from './field-view.ts';

export interface TreeFieldProps extends ControlProps<readonly string[]> {
  /** The initial value, to describe changes. */
  start: readonly string[];
  nodes: (signal: AbortSignal) => Promise<readonly TreeNode[]>;
}

const emptySet: ReadonlySet<string> = new Set();

/** Arrows move, open and close. Space checks a node and all below it. */
export function TreeField({ nodes: load, start, ...props }: TreeFieldProps) {
  const { value, onChange } = props;
  const treeId = useId();
  const { options: nodes, failure } = useOptions(load, props);
  const [query, setQuery] = useState('');
  const [closed, setClosed] = useState(emptySet);
  const [active, setActive] = useState<string | null>(null);

  // Links and drafts may use identifiers instead of ids.
  const asIds = (provided: readonly string[]) =>
    new Set(
      (nodes ?? []).filter(({ id, identifier }) => provided.includes(id) || provided.includes(identifier)).map(({ id }) => id),
    );
  const chosen = asIds(value);
  const searchText = foldText(query);
  const isFound = ({ label, identifier, also }: TreeNode) => foldText(`${label} ${also} ${identifier}`).includes(searchText);
  const shown = searchText === '' ? null : matchingIds(nodes ?? [], isFound);
  const lines = treeRowsOf(nodes ?? [], closed, shown);

  if (failure) return failure;
  if (nodes === null) return <Skeleton lines={6} />;

  const isAt = lines.findIndex(({ item }) => item.id === active);
  // A search also shows parents. Enter acts on the first match, not on its parent.
  const at = isAt >= 0 ? isAt : Math.max(0, shown ? lines.findIndex(({ item }) => isFound(item)) : 0);
  // Nodes hidden by the search do not change with their parent.
  const isFree = ({ id, blocked }: TreeNode) => blocked === undefined && (shown === null || shown.has(id));
  const lineId = (id: string) => `${treeId}-${id}`;

  function toggle(id: string | undefined) {
    if (id === undefined || nodes === null) return;
    const next = toggleTree(nodes, chosen, id, isFree);
    onChange(nodes.filter((node) => next.has(node.id)).map((node) => node.id));
  }
  function setOpen(id: string, isOpen: boolean) {
    setClosed((before) => new Set(isOpen ? [...before].filter((one) => one !== id) : [...before, id]));
  }
  function go(to: number) {
    const id = lines[to]?.item.id;
    if (id === undefined) return;
    setActive(id);
    document.getElementById(lineId(id))?.scrollIntoView({ block: 'nearest' });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof HTMLInputElement;
    if (event.key === 'Enter' || (event.key === ' ' && !typing)) {
      if (!event.repeat) toggle(lines[at]?.item.id);
    } else if (typing && !['ArrowDown', 'ArrowUp'].includes(event.key)) return;
    else {
      const step = treeStep(lines, at, event.key, document.documentElement.dir === 'rtl');
      if (step === null) {
        if (!event.key.startsWith('Arrow')) return;
      } else if ('go' in step) go(step.go);
      else if ('open' in step) setOpen(step.open, true);
      else setOpen(step.close, false);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const activeId = lines[at] && lineId(lines[at].item.id);
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
          setActive(null);
        }}
      />
      <div
        id={treeId}
        role="tree"
        aria-multiselectable="true"
        aria-labelledby={props.labelledBy}
        aria-activedescendant={activeId}
        tabIndex={0}
        className="h-72 overflow-y-auto rounded-control border border-control p-1"
      >
        {lines.map((line) => (
          <TreeLine
            key={line.item.id}
            id={lineId(line.item.id)}
            line={line}
            check={checkStateOf(nodes, chosen, line.item.id)}
            isActive={line === lines[at]}
            onToggle={() => {
              setActive(line.item.id);
              toggle(line.item.id);
            }}
            onOpen={() => setOpen(line.item.id, !line.isOpen)}
          />
        ))}
        {lines.length === 0 && <p className="px-2 py-1 text-body text-2">{t('form.picksNothing')}</p>}
      </div>
      <Difference nodes={nodes} before={asIds(start)} after={chosen} />
    </div>
  );
}

function Difference({
  nodes,
  before,
  after,
}: {
  nodes: readonly TreeNode[];
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}) {
  const words = (from: ReadonlySet<string>, to: ReadonlySet<string>) =>
    nodes.filter(({ id }) => to.has(id) && !from.has(id)).map(({ label }) => label);
  const [added, removed] = [words(before, after), words(after, before)];
  return (
    <div role="status" data-difference className="flex flex-col gap-1 text-meta text-2">
      <p className="tabular-nums">{t('form.treeChosen', { n: after.size, all: nodes.length })}</p>
      {added.length > 0 && <p className="text-1">{t('form.treeAdded', { count: added.length, names: joinList(added) })}</p>}
      {removed.length > 0 && (
        <p className="text-1">{t('form.treeRemoved', { count: removed.length, names: joinList(removed) })}</p>
      )}
    </div>
  );
}
