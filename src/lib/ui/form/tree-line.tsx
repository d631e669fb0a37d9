import Check from 'lucide-react/icons/check';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Minus from 'lucide-react/icons/minus';
import type { TreeRow as Line } from '../tree/tree.ts';
import type { TreeNode } from './field-view.ts';

interface TreeLineProps {
  id: string;
  line: Line<TreeNode>;
  check: boolean | 'mixed';
  isActive: boolean;
  /** False: the reason is said above the tree. */
  isReasonShown: boolean;
  onToggle: () => void;
  onOpen: () => void;
}

export function TreeLine({
  id,
  line: { item, level, hasChildren, isOpen, position, size },
  check,
  isActive,
  isReasonShown,
  onToggle,
  onOpen,
}: TreeLineProps) {
  const isBlocked = item.blocked !== undefined;
  const reason = isReasonShown ? item.blocked : undefined;
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-checked={check}
      aria-disabled={isBlocked || undefined}
      aria-label={[item.label, item.identifier, item.note, reason].filter(Boolean).join(', ')}
      className={`flex min-h-7 items-center gap-2 rounded-chip pe-2 text-body pointer-coarse:min-h-11 ${isActive ? 'bg-layer-hover' : ''} ${isBlocked ? 'text-2' : ''}`}
      style={{ paddingInlineStart: `${(level - 1) * 20}px` }}
      onClick={onToggle}
    >
      <span
        aria-hidden="true"
        className="flex size-6 shrink-0 items-center justify-center"
        onClick={(event) => {
          if (!hasChildren) return;
          event.stopPropagation();
          onOpen();
        }}
      >
        {hasChildren && <ChevronRight size={14} className={isOpen ? 'rotate-90' : 'rtl:rotate-180'} />}
      </span>
      <span
        aria-hidden="true"
        className={`flex size-4 shrink-0 items-center justify-center rounded-chip border ${check !== false ? 'border-accent bg-accent text-on-accent' : isBlocked ? 'border-hairline bg-layer' : 'border-control'}`}
      >
        {check === true && <Check size={12} strokeWidth={3} />}
        {check === 'mixed' && <Minus size={12} strokeWidth={3} />}
      </span>
      <span className="min-w-0 flex-1 truncate">
        {item.label}
        {(item.note ?? reason) && (
          <span className="ps-2 text-meta text-2">{[item.note, reason].filter(Boolean).join(' · ')}</span>
        )}
      </span>
      <span className="shrink-0 truncate font-mono text-meta text-2">{item.identifier}</span>
    </div>
  );
}
