export const boxClass =
  'w-full rounded-control border border-control bg-surface px-2 text-body text-1 aria-invalid:border-danger-text disabled:opacity-50';
export const lineClass = `h-control ${boxClass}`;
