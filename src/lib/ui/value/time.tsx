import { useState } from 'react';
import { formatRelative, formatTime, formatUtc } from '../../format.ts';
import { locale } from '../../i18n/i18n.ts';

/** In the viewer's zone. The tooltip has UTC and the relative time. */
export function TimeText({ iso }: { iso: string | null }) {
  // Computed on hover, because a relative time becomes stale and is expensive in every row.
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
