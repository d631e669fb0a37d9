import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** What the section is for, in one sentence. */
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export const Section = ({ title, intro, actions, children }: SectionProps) => (
  <section aria-label={title} className="flex flex-col gap-3">
    <header className="flex flex-wrap items-center gap-2 border-b border-hairline pb-2">
      <h2 className="me-auto text-section font-semibold">{title}</h2>
      {actions}
    </header>
    {intro && <p className="max-w-160 text-body text-2">{intro}</p>}
    {children}
  </section>
);
