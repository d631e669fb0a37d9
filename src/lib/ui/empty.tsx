import type { ReactNode } from 'react';

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Heading level, 1 for a page's main heading. */
  level?: 1 | 2;
}

/** An empty state: why, and what to do. */
export function EmptyState({ icon, title, children, action, level = 2 }: EmptyProps) {
  const Title = `h${level}` as const;
  return (
    <div className="flex w-full flex-1 flex-col justify-center px-6 py-16">
      <div className="mx-auto flex w-full max-w-96 flex-col items-start gap-2">
        {icon && <div className="mb-2 text-2">{icon}</div>}
        <Title className="text-section font-semibold">{title}</Title>
        {children && <div className="text-body text-2">{children}</div>}
        {action && <div className="mt-3 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}
