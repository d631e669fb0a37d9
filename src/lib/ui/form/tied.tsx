import type { ComponentProps } from 'react';
import type { ControlProps } from './field-view.ts';

export type FieldTies = Omit<ControlProps<never>, 'value' | 'onChange'>;

/** The attributes that tie a control to its label, hint and error. */
export function tied({ id, required, invalid, describedBy, autoFocus }: FieldTies) {
  return {
    id,
    'aria-required': required || undefined,
    'aria-invalid': invalid || undefined,
    'aria-describedby': describedBy,
    'data-autofocus': autoFocus || undefined,
  };
}

interface Tied {
  field: FieldTies;
}

// Headless UI names and describes its parts itself. These keep the label, hint and error of the field.

export const TiedInput = ({ field, ...rest }: ComponentProps<'input'> & Tied) => (
  <input {...rest} {...tied(field)} aria-labelledby={field.labelledBy} />
);

export const TiedBox = ({
  field,
  'aria-expanded': isExpanded = false,
  'aria-controls': listId,
  ...rest
}: ComponentProps<'button'> & Tied) => (
  <button
    {...rest}
    {...tied(field)}
    type="button"
    role="combobox"
    aria-expanded={isExpanded}
    aria-controls={listId}
    aria-labelledby={field.labelledBy}
  />
);

export const TiedSwitch = ({ field, ...rest }: ComponentProps<'button'> & Tied) => (
  <button {...rest} {...tied({ ...field, required: false })} type="button" aria-labelledby={field.labelledBy} />
);

export const TiedList = ({ field, ...rest }: ComponentProps<'div'> & Tied) => (
  <div {...rest} aria-labelledby={field.labelledBy} />
);
