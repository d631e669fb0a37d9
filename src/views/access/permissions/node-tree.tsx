import ChevronRight from 'lucide-react/icons/chevron-right';
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { NodeRow } from '../../../../api/access/permissions.ts';
import { runCommand } from '../../../commands/app/app.ts';
import { nodeTarget } from '../../../commands/access/permissions.ts';
import { RowMenu } from '../../../commands/ui/controls/command-trigger.tsx';
import { copyText } from '../../../lib/clipboard.ts';
import { foldText } from '../../../lib/fold-text.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { pickLocaleName, t } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import { popContext, pushContext, type ListControls } from '../../../lib/scope.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { Icon } from '../../../lib/ui/icon.tsx';
import { nearestRemaining } from '../../../lib/ui/list/table/selection.ts';
import { flattenTree, matchingIds, computeTreeStep, type TreeRow } from '../../../lib/ui/tree/tree.ts';

const noIds: ReadonlySet<string> = new Set();

/**
 * Commands act on its cursor. List keys move it (j, k, arrows, Home, End), sideways arrows open and close, Alt with an arrow
 * moves the node.
 */
export function NodeTree({ nodes, refresh }: { nodes: readonly NodeRow[]; refresh: () => void }) {
  const treeId = useId();
  const [closedIds, setClosedIds] = useState(noIds);
  const [query, setQuery] = useState('');
  const [cursor, setCursor] = useState<string | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);

  const searchText = foldText(query);
  const lines = useMemo(() => {
    const isMatch = ({ zh, en, identifier }: NodeRow) => foldText(`${zh} ${en} ${identifier}`).includes(searchText);
    return flattenTree(nodes, closedIds, searchText === '' ? null : matchingIds(nodes, isMatch));
  }, [nodes, closedIds, searchText]);
  const foundIndex = lines.findIndex(({ item }) => item.id === cursor);
  const [renderedTree, setRenderedTree] = useState({ nodes, lines });
  if (renderedTree.lines !== lines) {
    setRenderedTree({ nodes, lines });
    const previousIds = idsOf(renderedTree.lines);
    // A deleted node passes the cursor to its neighbor. A node hidden by a search keeps it.
    if (renderedTree.nodes !== nodes && foundIndex < 0 && cursor !== null && previousIds.includes(cursor))
      setCursor(nearestRemaining(cursor, previousIds, new Set(idsOf(lines))));
  }
  const currentIndex = cursor === null && lines.length > 0 ? 0 : foundIndex; // so that commands are available immediately
  const node = lines[currentIndex]?.item ?? null;

  function moveTo(index: number) {
    const id = lines[Math.max(0, Math.min(lines.length - 1, index))]?.item.id;
    if (id === undefined) return;
    setCursor(id);
    document.getElementById(`${treeId}-${id}`)?.scrollIntoView({ block: 'nearest' });
    if (document.activeElement === document.body) tree.current?.focus({ preventScroll: true });
  }
  const setOpen = (id: string, isOpen: boolean) =>
    setClosedIds((previousIds) => new Set(isOpen ? [...previousIds].filter((nodeId) => nodeId !== id) : [...previousIds, id]));

  // A stable object, so that only cursor moves update the frame.
  const latestState = useRef({ go: moveTo, at: currentIndex, nodes, lines, node, refresh });
  useLayoutEffect(() => {
    latestState.current = { go: moveTo, at: currentIndex, nodes, lines, node, refresh };
  });
  const [key] = useState(() => Symbol('tree'));
  const [controls] = useState<ListControls>(() => {
    const noop = () => {};
    const indexOf = (id: string) => latestState.current.lines.findIndex(({ item }) => item.id === id);
    return {
      resource: 'permissions',
      show(id) {
        const ancestorIds = matchingIds(latestState.current.nodes, (nodeId) => nodeId.id === id);
        if (ancestorIds.size === 0) return false;
        flushSync(() => {
          setClosedIds((previousIds) => new Set([...previousIds].filter((nodeId) => nodeId === id || !ancestorIds.has(nodeId))));
          if (indexOf(id) < 0) setQuery(''); // it may not match the search
        });
        latestState.current.go(indexOf(id));
        return true;
      },
      move: (step) => latestState.current.go(latestState.current.at < 0 ? 0 : latestState.current.at + step),
      moveTo: (edge) => latestState.current.go(edge === 'first' ? 0 : latestState.current.lines.length - 1),
      toggle: noop,
      extend: noop,
      selectAll: noop,
      clear: noop,
      open: () => {
        const { node: currentNode } = latestState.current;
        if (currentNode) runCommand({ id: 'permissions.edit' }, 'row', [nodeTarget(currentNode)]);
      },
      focusFilter: () => search.current?.focus(),
      openFilter: () => search.current?.focus(),
      closeFilter: () => {},
      filters: () => ({}),
      clearFilter: () => setQuery(''),
      refresh: () => latestState.current.refresh(),
      openColumns: noop,
      copy: () => void copyText(latestState.current.node?.identifier ?? ''),
    };
  });
  useLayoutEffect(() => {
    pushContext({ key, controls, checked: [], cursor: node ? nodeTarget(node) : null, filtered: searchText !== '' });
  }, [key, controls, node, searchText]);
  useLayoutEffect(() => () => popContext(key), [key]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.altKey) {
      const isUp = event.key === 'ArrowUp';
      const sibling = node && siblingOf(nodes, node, isUp ? -1 : 1);
      if (!node || !sibling || (!isUp && event.key !== 'ArrowDown')) return;
      event.preventDefault();
      event.stopPropagation();
      const params = { to: sibling.id, place: isUp ? 'before' : 'after' };
      if (!event.repeat) runCommand({ id: 'permissions.move', params }, 'key', [nodeTarget(node)]);
      return;
    }
    // Up and down are list keys, which people can change.
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const step = computeTreeStep(lines, currentIndex, event.key, document.documentElement.dir === 'rtl');
    event.preventDefault();
    event.stopPropagation();
    if (step === null) return;
    if ('go' in step) moveTo(step.go);
    else if ('open' in step) setOpen(step.open, true);
    else setOpen(step.close, false);
  }

  return (
    <>
      <div className="flex items-center gap-2 border-y border-hairline bg-canvas px-cell py-1.5">
        <input
          ref={search}
          type="search"
          aria-label={t('permissions.search')}
          aria-controls={treeId}
          placeholder={t('permissions.search')}
          autoComplete="off"
          className="h-control w-80 max-w-full rounded-control border border-control bg-surface px-2 text-body"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' && event.key !== 'Enter' && event.key !== 'ArrowDown') return;
            if (event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.stopPropagation();
            if (event.key === 'Escape') setQuery('');
            tree.current?.focus();
          }}
        />
      </div>
      <div
        aria-hidden="true"
        className="flex h-thead shrink-0 items-center gap-2 border-b border-hairline px-cell text-meta text-2"
      >
        <span className="min-w-0 flex-[2] truncate">{t('permissions.field.name')}</span>
        <span className="min-w-0 flex-1 truncate">{t('permissions.field.identifier')}</span>
        <span className="hidden min-w-0 flex-1 truncate lg:block">{t('permissions.field.roles')}</span>
        <span className="w-control" />
      </div>
      <div
        ref={tree}
        id={treeId}
        role="tree"
        aria-label={t('permissions.tree')}
        aria-activedescendant={node ? `${treeId}-${node.id}` : undefined}
        tabIndex={0}
        className="ring-inside relative min-h-0 flex-1 overflow-y-auto py-1"
        onKeyDown={onKeyDown}
        onFocus={() => currentIndex < 0 && moveTo(0)}
      >
        {lines.map((line) => (
          <Line
            key={line.item.id}
            id={`${treeId}-${line.item.id}`}
            line={line}
            isHere={line.item.id === node?.id}
            onPick={() => setCursor(line.item.id)}
            onOpen={() => setOpen(line.item.id, !line.isOpen)}
          />
        ))}
      </div>
    </>
  );
}

const idsOf = (lines: readonly TreeRow<NodeRow>[]): string[] => lines.map(({ item }) => item.id);

function siblingOf(nodes: readonly NodeRow[], node: NodeRow, step: number): NodeRow | undefined {
  const siblings = nodes.filter(({ parentId }) => parentId === node.parentId);
  return siblings[siblings.findIndex(({ id }) => id === node.id) + step];
}

interface LineProps {
  id: string;
  line: TreeRow<NodeRow>;
  isHere: boolean;
  onPick: () => void;
  onOpen: () => void;
}

function Line({ id, line: { item, level, hasChildren, isOpen, position, size }, isHere, onPick, onOpen }: LineProps) {
  const roles = joinList(item.roles.map(({ name }) => roleText(name)));
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isHere}
      className={`flex min-h-row items-center gap-2 px-cell text-body ${isHere ? 'bg-layer-active' : 'hover:bg-layer-hover'}`}
      onClick={onPick}
      onDoubleClick={() => runCommand({ id: 'permissions.edit' }, 'row', [nodeTarget(item)])}
    >
      <span className="flex min-w-0 flex-[2] items-center gap-2">
        <span
          aria-hidden="true"
          className="flex size-6 shrink-0 items-center justify-center"
          style={{ marginInlineStart: `${(level - 1) * 20}px` }}
          onClick={onOpen}
        >
          {hasChildren && <ChevronRight size={14} className={isOpen ? 'rotate-90' : 'rtl:rotate-180'} />}
        </span>
        <Icon name={item.kind === 'menu' ? 'list' : 'key-round'} size={14} />
        <span className="min-w-0 truncate">
          {pickLocaleName(item)}
          <span className="inline-block ps-2 text-meta text-2">{pickLocaleName({ zh: item.en, en: item.zh })}</span>
          <span className="sr-only">{t(`permissions.kind.${item.kind}`)}</span>
        </span>
        {!item.hasEffect && (
          <span title={t('permissions.noEffectWhy')}>
            <Chip state="refused">{t('permissions.noEffect')}</Chip>
          </span>
        )}
      </span>
      <span className="min-w-0 flex-1 truncate font-mono text-meta text-2">{item.identifier}</span>
      <span className="hidden min-w-0 flex-1 truncate text-meta text-2 lg:block" title={roles || undefined}>
        {roles || t('permissions.rolesNone')}
      </span>
      <RowMenu target={nodeTarget(item)} />
    </div>
  );
}
