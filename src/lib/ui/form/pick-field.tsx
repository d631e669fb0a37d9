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

export function PickField({ options: load, isFollowing, ...props }: PickFieldProps) {
  const { options, failure } = useOptions(load, props);
  const { value: picked, onChange } = props;
  useEffect(() => {
    if (!isFollowing || options === null || options.some(({ value }) => value === picked)) return;
    const [only, ...others] = options.filter(({ blocked }) => blocked === undefined);
    const next = only && others.length === 0 ? only.value : '';
    if (next !== picked) onChange(next);
  }, [isFollowing, options, picked, onChange]);
  if (failure) return failure;
  if (options === null) return <Skeleton />;
  return <ListBox {...props} options={options} />;
}
