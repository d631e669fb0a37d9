import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useEffect, useRef, useState, type ReactNode } from 'react';

/** Fields that most people leave alone. `needsOpen`: one of them has to be seen. */
export function FieldGroup({ label, filled, needsOpen, children }: GroupProps) {
  const [isExpanded, setIsExpanded] = useState(filled);
  if (needsOpen && !isExpanded) setIsExpanded(true);
  const group = useRef<HTMLDivElement>(null);
  const isOpening = useRef(false);
  // The fields may be below the edge of a dialog.
  useEffect(() => {
    if (isExpanded && isOpening.current) group.current?.scrollIntoView({ block: 'nearest' });
    isOpening.current = false;
  }, [isExpanded]);
  const Chevron = isExpanded ? ChevronDown : ChevronRight;
  return (
    <div ref={group} className="flex flex-col gap-3">
      <button
        type="button"
        aria-expanded={isExpanded}
        onClick={() => {
          isOpening.current = !isExpanded;
          setIsExpanded(!isExpanded);
        }}
        className="flex h-7 items-center gap-1 self-start rounded-control pe-2 text-label font-medium text-1 hover:bg-layer-hover"
      >
        <Chevron size={16} aria-hidden="true" className="text-2 rtl:-scale-x-100" />
        {label}
      </button>
      {isExpanded && <div className="flex flex-col gap-4 border-s border-hairline ps-4">{children}</div>}
    </div>
  );
}

interface GroupProps {
  label: string;
  filled: boolean;
  needsOpen: boolean;
  children: ReactNode;
}
