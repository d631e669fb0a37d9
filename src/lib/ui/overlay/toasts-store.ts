import { atom } from 'nanostores';

/**
 * Errors stay until closed, a waiting notice until it is dropped. Others disappear after five
 * seconds.
 */
export interface Toast {
  id: number;
  kind: 'success' | 'error' | 'blocked' | 'waiting';
  text: string;
  /** To look up an error in the log. */
  requestId?: string | null;
  /** Leads to what it is about. */
  link?: { label: string; run: () => void };
  /** Usually undo. `keys` is shown as a chip. */
  action?: { label: string; keys?: string; run: () => void };
}

export const toastDurationMs = 5000;
const max = 3;

export const isPersistent = (kind: Toast['kind']): boolean => kind === 'error' || kind === 'waiting';

let lastId = 0;
export const $toasts = atom<readonly Toast[]>([]);

/**
 * Returns an id. A repeated refusal is shown once. Beyond three, the oldest temporary notice
 * disappears, else the oldest error.
 */
export function showToast(toast: Omit<Toast, 'id'>): number {
  lastId += 1;
  const otherToasts = $toasts.get().filter(({ kind, text }) => kind !== 'blocked' || text !== toast.text);
  const droppedToast =
    otherToasts.length < max
      ? undefined
      : (otherToasts.find(({ kind }) => !isPersistent(kind)) ?? otherToasts.find(({ kind }) => kind === 'error'));
  $toasts.set([...otherToasts.filter((existing) => existing !== droppedToast), { ...toast, id: lastId }]);
  return lastId;
}

export const dropToast = (id: number): void => $toasts.set($toasts.get().filter((toast) => toast.id !== id));
