import { atom } from 'nanostores';

/** Texts: `device.waiting.<kind>`. */
export type DeviceRequestKind = 'connect' | 'switch' | 'sign' | 'send' | 'passkey';

export interface DeviceRequest {
  readonly kind: DeviceRequestKind;
  /** Name of the wallet, '' for a passkey. */
  readonly device: string;
  /** The device may still show an earlier, abandoned request. */
  readonly isRepeated: boolean;
  /** The device may still show the request. */
  stop(): void;
}

export const $deviceRequests = atom<readonly DeviceRequest[]>([]);

export function stopWaiting(except: readonly DeviceRequest[] = []): void {
  for (const open of $deviceRequests.get()) if (!except.includes(open)) open.stop();
}

/** True for the AbortError of a stopped request. */
export const isAbortError = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

interface Asked<T> {
  kind: DeviceRequestKind;
  device: string;
  request: () => Promise<T>;
  cancel?: () => void;
  /** Called if the device responds after the person stopped waiting. */
  onLate?: (answer: T) => void;
  signal?: AbortSignal | undefined;
}

const unanswered: string[] = [];

/** No time limit. Throws the device's error, or an AbortError (`isAbortError`). */
export async function requestDevice<T>({ kind, device, request, cancel, onLate, signal }: Asked<T>): Promise<T> {
  signal?.throwIfAborted();
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  signal?.addEventListener('abort', stop);
  const open: DeviceRequest = { kind, device, isRepeated: unanswered.includes(device), stop };
  $deviceRequests.set([...$deviceRequests.get(), open]);
  const answer = request();
  try {
    return await Promise.race([answer, whenAborted(stopped.signal)]);
  } catch (error) {
    if (stopped.signal.aborted) {
      cancel?.();
      unanswered.push(device);
      void answer.then(onLate, () => {}).finally(() => unanswered.splice(unanswered.indexOf(device), 1));
    }
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    $deviceRequests.set($deviceRequests.get().filter((one) => one !== open));
  }
}

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('stopped waiting for the device', 'AbortError')));
  });
