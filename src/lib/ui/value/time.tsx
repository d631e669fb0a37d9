import { useState } from 'react';
import { formatRelative, formatTime, formatUtc } from '../../format.ts';
import { locale } from '../../i18n/i18n.ts';

/** A moment in the person's zone; hovering tells it in UTC and how long ago. */
export function Time({ iso }: { iso: string | null }) {
  // Computed when asked for: "3 minutes ago" would be wrong later, and costs in every row.
  const [title, setTitle] = useState<string>();
  if (iso === null) return <span className="text-2">—</span>;
  return (
    <time
      dateTime={iso}
      dir="ltr"
      title={title}
      className="whitespace-nowrap tabular-nums"
      onPointerEnter={() => setTitle(`${formatUtc(iso)}\n${formatRelative(iso, new Date(), locale())}`)}
    >
      {formatTime(iso)}
    </time>
  );
}
