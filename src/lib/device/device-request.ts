import { atom } from 'nanostores';

/** What a person decides on a device of their own: in a wallet, or with a passkey. Words: `device.waiting.<kind>`. */
export type DeviceRequestKind = 'connect' | 'switch' | 'sign' | 'send' | 'passkey';

export interface DeviceRequest {
  readonly kind: DeviceRequestKind;
  /** Name of the wallet, '' for a passkey. */
  readonly device: string;
  /** The device may still show an earlier one that the person stopped waiting for. */
  readonly isRepeated: boolean;
  /** Ends the wait here. The device itself may still show the request. */
  stop(): void;
}

/** The requests that are open on a device now. */
export const $deviceRequests = atom<readonly DeviceRequest[]>([]);

/** Ends the wait for every open request but these. */
export function stopWaiting(except: readonly DeviceRequest[] = []): void {
  for (const open of $deviceRequests.get()) if (!except.includes(open)) open.stop();
}

/** Whether the person stopped waiting, as `askDevice` throws it. */
export const isStopped = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

interface Asked<T> {
  kind: DeviceRequestKind;
  device: string;
  /** Sends the request. */
  request: () => Promise<T>;
  /** Takes the request back, where the device can. */
  cancel?: () => void;
  /** Gets an answer that comes after the person stopped waiting. */
  onLate?: (answer: T) => void;
  /** Stops waiting, too. */
  signal?: AbortSignal | undefined;
}

/** The devices that have not answered what the person stopped waiting for. */
const unanswered: string[] = [];

/**
 * Waits for a person's answer on their device, however long that takes, until they stop waiting.
 * Throws what the device throws, and an AbortError (`isStopped`) once they stopped.
 */
export async function askDevice<T>({ kind, device, request, cancel, onLate, signal }: Asked<T>): Promise<T> {
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
      void answer
        .then(onLate, () => {}) // a late refusal changes nothing
        .finally(() => unanswered.splice(unanswered.indexOf(device), 1));
    }
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    $deviceRequests.set($deviceRequests.get().filter((one) => one !== open));
  }
}

/** Rejects with an AbortError. */
const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('stopped waiting for the device', 'AbortError')));
  });
