import type { ComponentProps } from 'react';
import type { ControlProps } from './field-view.ts';

export type FieldTies = Omit<ControlProps<never>, 'value' | 'onChange'>;

export function fieldAttributes({ id, required, invalid, describedBy, autoFocus }: FieldTies) {
  return {
    id,
    'aria-required': required || undefined,
    'aria-invalid': invalid || undefined,
    'aria-describedby': describedBy,
    'data-autofocus': autoFocus || undefined,
  };
}

interface DescribedControl {
  field: FieldTies;
}

// Headless UI sets its own label and description. These keep the field's.

export const DescribedInput = ({ field, ...rest }: ComponentProps<'input'> & DescribedControl) => (
  <input {...rest} {...fieldAttributes(field)} aria-labelledby={field.labelledBy} />
);

export const DescribedBox = ({
  field,
  'aria-expanded': isExpanded = false,
  'aria-controls': listId,
  ...rest
}: ComponentProps<'button'> & DescribedControl) => (
  <button
    {...rest}
    {...fieldAttributes(field)}
    type="button"
    role="combobox"
    aria-expanded={isExpanded}
    aria-controls={listId}
    aria-labelledby={field.labelledBy}
  />
);

export const DescribedSwitch = ({ field, ...rest }: ComponentProps<'button'> & DescribedControl) => (
  <button {...rest} {...fieldAttributes({ ...field, required: false })} type="button" aria-labelledby={field.labelledBy} />
);

export const DescribedList = ({ field, ...rest }: ComponentProps<'div'> & DescribedControl) => (
  <div {...rest} aria-labelledby={field.labelledBy} />
);
