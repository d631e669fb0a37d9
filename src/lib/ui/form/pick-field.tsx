import { useEffect } from 'react';
import { Skeleton } from '../skeleton.tsx';
import { ListBox } from './list-box.tsx';
import { useOptions } from './use-options.tsx';
import type { ControlProps, PickOption } from './field-view.ts';

interface PickFieldProps extends ControlProps<string> {
  options: (signal: AbortSignal) => Promise<readonly PickOption[]>;
  /** Its options depend on another field: drops a value that is no longer offered, and picks a single option. */
  isFollowing: boolean;
}

export function PickField({ options: loadOptions, isFollowing, ...props }: PickFieldProps) {
  const { options, failure } = useOptions(loadOptions, props);
  const { value: pickedValue, onChange } = props;
  useEffect(() => {
    if (!isFollowing || options === null || options.some(({ value }) => value === pickedValue)) return;
    const [onlyOption, ...otherOptions] = options.filter(({ blocked }) => blocked === undefined);
    const nextValue = onlyOption && otherOptions.length === 0 ? onlyOption.value : '';
    if (nextValue !== pickedValue) onChange(nextValue);
  }, [isFollowing, options, pickedValue, onChange]);
  if (failure) return failure;
  if (options === null) return <Skeleton />;
  return <ListBox {...props} options={options} />;
}
