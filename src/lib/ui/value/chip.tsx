import Ban from 'lucide-react/icons/ban';
import Check from 'lucide-react/icons/check';
import Circle from 'lucide-react/icons/circle';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import CircleDot from 'lucide-react/icons/circle-dot';
import CircleX from 'lucide-react/icons/circle-x';
import type { ReactNode } from 'react';

/** Color, shape and text together, so that color is never the only signal. */
const stateClasses = {
  done: { Icon: Check, look: 'bg-ok-bg text-ok-text', icon: 'text-ok-icon' },
  processing: { Icon: CircleDot, look: 'bg-info-bg text-info-text', icon: 'text-info-icon' },
  pending: { Icon: CircleDashed, look: 'bg-warn-bg text-warn-text', icon: 'text-warn-icon' },
  failed: { Icon: CircleX, look: 'bg-bad-bg text-bad-text', icon: 'text-bad-icon' },
  refused: { Icon: Ban, look: 'bg-neutral-bg text-neutral-text inset-ring inset-ring-hairline', icon: 'text-neutral-icon' },
  off: { Icon: Circle, look: 'bg-neutral-bg text-neutral-text inset-ring inset-ring-hairline', icon: 'text-neutral-icon' },
} as const;

export function Chip({ state, children }: { state: keyof typeof stateClasses; children: ReactNode }) {
  const { Icon, look, icon } = stateClasses[state];
  return (
    <span
      data-chip
      className={`inline-flex h-5 max-w-full items-center align-top gap-1 rounded-chip px-1.5 text-meta font-medium whitespace-nowrap ${look}`}
    >
      <Icon size={12} strokeWidth={2.5} aria-hidden="true" className={icon} />
      {children}
    </span>
  );
}
