import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: string;
  /** Next to the title, such as a count. */
  note?: ReactNode;
  /** The screen's commands. */
  children?: ReactNode;
}

export function PageHeader({ title, note, children }: PageHeaderProps) {
  return (
    <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-3 pb-2">
      <h1 className="text-title font-semibold">{title}</h1>
      {note && <div className="text-meta text-2 tabular-nums">{note}</div>}
      {children && <div className="ms-auto flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}
