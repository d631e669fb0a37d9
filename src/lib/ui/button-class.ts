const variantClasses = {
  primary: 'bg-accent text-on-accent hover:not-disabled:bg-accent-hover',
  secondary: 'border border-control bg-surface text-1 hover:not-disabled:bg-layer-hover active:not-disabled:bg-layer-active',
  ghost: 'text-1 hover:not-disabled:bg-layer-hover active:not-disabled:bg-layer-active aria-expanded:bg-layer-active',
  danger: 'bg-danger text-on-danger hover:not-disabled:bg-danger-hover',
} as const;

export type ButtonVariant = keyof typeof variantClasses;

/** For links next to buttons, and for pages that must not load the Button component. */
export const buttonClass = (variant: ButtonVariant = 'secondary', extraClass = '', height = 'h-control'): string =>
  `inline-flex ${height} min-w-6 shrink-0 items-center justify-center gap-1.5 rounded-control text-body font-medium whitespace-nowrap select-none transition-colors duration-press disabled:opacity-50 aria-disabled:opacity-50 ${variantClasses[variant]} ${extraClass}`;
