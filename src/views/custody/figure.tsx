import type { ReactNode } from 'react';

export function CustodyFigure({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-meta text-2">{name}</dt>
      <dd className="text-label font-semibold text-1">{children}</dd>
      {note && <dd className="text-meta text-2">{note}</dd>}
    </div>
  );
}
