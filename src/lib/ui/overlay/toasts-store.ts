import { atom } from 'nanostores';

/** Errors stay until closed, waiting toasts until removed, others for five seconds. */
export interface Toast {
  id: number;
  kind: 'success' | 'error' | 'blocked' | 'hint' | 'waiting';
  text: string;
  /** Shown as chips after the text. */
  keys?: string;
  /** For looking up an error. */
  requestId?: string | null;
  link?: { label: string; run: () => void };
  /** Usually undo. `keys` is shown as a chip. */
  action?: { label: string; keys?: string; run: () => void };
}

export const toastTime = 5000;
const most = 3;

export const stays = (kind: Toast['kind']): boolean => kind === 'error' || kind === 'waiting';

let lastId = 0;
export const $toasts = atom<readonly Toast[]>([]);

/** Returns its id. A repeated error shows once. Beyond three, the oldest temporary toast goes, else the oldest error. */
export function showToast(toast: Omit<Toast, 'id'>): number {
  lastId += 1;
  const shown = $toasts.get().filter(({ kind, text }) => kind !== 'blocked' || text !== toast.text);
  const leaving =
    shown.length < most ? undefined : (shown.find(({ kind }) => !stays(kind)) ?? shown.find(({ kind }) => kind === 'error'));
  $toasts.set([...shown.filter((one) => one !== leaving), { ...toast, id: lastId }]);
  return lastId;
}

export const dropToast = (id: number): void => $toasts.set($toasts.get().filter((toast) => toast.id !== id));
