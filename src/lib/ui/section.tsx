import type { ComponentProps, ReactNode } from 'react';

interface SectionProps extends ComponentProps<'section'> {
  title: string;
  /** What the section is for, in one sentence. */
  intro?: ReactNode;
  /** The section's commands. */
  actions?: ReactNode;
}

/** Part of a screen without a list. */
export const Section = ({ title, intro, actions, children, ...rest }: SectionProps) => (
  <section aria-label={title} className="flex flex-col gap-3" {...rest}>
    <header className="flex flex-wrap items-center gap-2 border-b border-hairline pb-2">
      <h2 className="me-auto text-section font-semibold">{title}</h2>
      {actions}
    </header>
    {intro && <p className="max-w-160 text-body text-2">{intro}</p>}
    {children}
  </section>
);
