import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState, type ReactNode } from 'react';

/** Fields that most people leave alone. `needsOpen`: one of them has to be seen. */
export function FieldGroup({ label, filled, needsOpen, children }: GroupProps) {
  const [isExpanded, setIsExpanded] = useState(filled);
  if (needsOpen && !isExpanded) setIsExpanded(true);
  const Chevron = isExpanded ? ChevronDown : ChevronRight;
  return (
    <div className="flex flex-col gap-3">
      <button
        type="button"
        aria-expanded={isExpanded}
        onClick={() => setIsExpanded(!isExpanded)}
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
