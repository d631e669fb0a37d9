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

export function cancelRequests(exceptRequests: readonly DeviceRequest[] = []): void {
  for (const deviceRequest of $deviceRequests.get()) if (!exceptRequests.includes(deviceRequest)) deviceRequest.stop();
}

/** True for the AbortError of a stopped request. */
export const isAbortError = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

interface RequestOptions<T> {
  kind: DeviceRequestKind;
  device: string;
  request: () => Promise<T>;
  cancel?: () => void;
  /** Called if the device responds after the person stopped waiting. */
  onLate?: (answer: T) => void;
  signal?: AbortSignal | undefined;
}

const unansweredDevices: string[] = [];

/** No time limit. Throws the device's error, or an AbortError (`isAbortError`). */
export async function requestDevice<T>({ kind, device, request, cancel, onLate, signal }: RequestOptions<T>): Promise<T> {
  signal?.throwIfAborted();
  const abortController = new AbortController();
  const stop = () => abortController.abort();
  signal?.addEventListener('abort', stop);
  const deviceRequest: DeviceRequest = { kind, device, isRepeated: unansweredDevices.includes(device), stop };
  $deviceRequests.set([...$deviceRequests.get(), deviceRequest]);
  const responsePromise = request();
  try {
    return await Promise.race([responsePromise, whenAborted(abortController.signal)]);
  } catch (error) {
    if (abortController.signal.aborted) {
      cancel?.();
      unansweredDevices.push(device);
      void responsePromise.then(onLate, () => {}).finally(() => unansweredDevices.splice(unansweredDevices.indexOf(device), 1));
    }
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    $deviceRequests.set($deviceRequests.get().filter((request) => request !== deviceRequest));
  }
}

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('stopped waiting for the device', 'AbortError')));
  });
