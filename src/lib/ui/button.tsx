import type { ComponentProps, ReactNode } from 'react';
import { buttonClass, type ButtonLook } from './button-class.ts';
import { Kbd } from './value/kbd.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  icon?: ReactNode;
  /** Keys that do the same, shown as chips; pass `aria-keyshortcuts` as well where they are live. */
  keys?: string | undefined;
  /** Under way: says so, and takes no second press. */
  busy?: boolean;
}

/** A button. Under way it stays focusable, so that the focus is not lost to the page. */
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
  const solid = look === 'primary' || look === 'danger';
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
      {keys && <Kbd keys={keys} onSolid={solid} silent={Boolean(rest['aria-keyshortcuts'])} />}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** Its name: read out, and shown on hover and on keyboard focus (tips.tsx). */
  label: string;
  icon: ReactNode;
}

/** A square button that shows an icon only. */
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
