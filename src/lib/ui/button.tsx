import type { ComponentProps, ReactNode } from 'react';
import { buttonClass, type ButtonVariant } from './button-class.ts';
import { Kbd } from './value/kbd.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonVariant;
  icon?: ReactNode;
  /** Shown as chips. Also pass `aria-keyshortcuts` where the keys work. */
  keys?: string | undefined;
  busy?: boolean;
}

export function Button({
  look = 'secondary',
  icon,
  keys,
  busy = false,
  className = '',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isSolid = look === 'primary' || look === 'danger';
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(look, `px-2.5 ${className}`)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {icon}
      {children}
      {keys && <Kbd keys={keys} onSolid={isSolid} silent={Boolean(rest['aria-keyshortcuts'])} />}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** Read out, and shown on hover and keyboard focus (tips.tsx). */
  label: string;
  icon: ReactNode;
}

export function IconButton({ label, icon, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      {...rest}
      className={buttonClass('ghost', `w-control text-2 hover:text-1 ${className}`)}
    >
      {icon}
    </button>
  );
}
