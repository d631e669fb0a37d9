import { afterEach, expect, test } from 'vitest';
import { setImmediate } from 'node:timers/promises';
import { $deviceRequests, requestDevice, isAbortError, cancelRequests } from './device-request.ts';

afterEach(() => cancelRequests());

function createPendingRequest<T>() {
  let resolveRequest: (value: T) => void = () => {};
  let rejectRequest: (error: Error) => void = () => {};
  const request = () =>
    new Promise<T>((resolve, reject) => {
      resolveRequest = resolve;
      rejectRequest = reject;
    });
  return { request, answer: (value: T) => resolveRequest(value), refuse: (error: Error) => rejectRequest(error) };
}

const readRejection = (pendingRequest: Promise<unknown>) =>
  pendingRequest.then(
    () => null,
    (error: unknown) => error,
  );

test('a request is open until the device answers', async () => {
  const device = createPendingRequest<string>();
  const pendingRequest = requestDevice({ kind: 'sign', device: 'Wallet of this file', request: device.request });
  expect($deviceRequests.get()).toMatchObject([{ kind: 'sign', device: 'Wallet of this file', isRepeated: false }]);
  device.answer('signed');
  expect(await pendingRequest).toBe('signed');
  expect($deviceRequests.get()).toEqual([]);
});

test('a device that throws immediately leaves no request open', async () => {
  const request = () => Promise.reject(new Error('locked'));
  await expect(requestDevice({ kind: 'sign', device: 'Wallet of this file', request })).rejects.toThrow('locked');
  expect($deviceRequests.get()).toEqual([]);
});

test('a stopped request ends, and its late response goes only to onLate', async () => {
  const device = createPendingRequest<string>();
  const lateResponses: string[] = [];
  let cancelCount = 0;
  const pendingRequest = requestDevice({
    kind: 'send',
    device: 'Wallet of this file',
    request: device.request,
    cancel: () => cancelCount++,
    onLate: (lateResponse) => lateResponses.push(lateResponse),
  });
  cancelRequests();
  expect(isAbortError(await readRejection(pendingRequest))).toBe(true);
  expect([$deviceRequests.get(), cancelCount, lateResponses]).toEqual([[], 1, []]);
  device.answer('0x1');
  await setImmediate();
  expect(lateResponses).toEqual(['0x1']);
});

test('a late rejection of a stopped request is ignored', async () => {
  const device = createPendingRequest<string>();
  const pendingRequest = requestDevice({
    kind: 'send',
    device: 'Wallet of this file',
    request: device.request,
    onLate: () => expect.unreachable(),
  });
  cancelRequests();
  await readRejection(pendingRequest);
  device.refuse(new Error('User rejected the request.'));
  await setImmediate();
});

test('a request is marked as repeated while the device may still show an earlier one', async () => {
  const firstRequest = createPendingRequest<string>();
  const pendingRequest = readRejection(
    requestDevice({ kind: 'send', device: 'Wallet of this file', request: firstRequest.request }),
  );
  cancelRequests();
  await pendingRequest;
  const readRepeatedFlags = () => $deviceRequests.get().map(({ isRepeated }) => isRepeated);

  const repeatedRequest = readRejection(
    requestDevice({ kind: 'send', device: 'Wallet of this file', request: createPendingRequest().request }),
  );
  expect(readRepeatedFlags()).toEqual([true]);
  const otherDeviceRequest = readRejection(
    requestDevice({ kind: 'send', device: 'Other', request: createPendingRequest().request }),
  );
  expect(readRepeatedFlags()).toEqual([true, false]);
  firstRequest.answer('0x1');
  await setImmediate();
  cancelRequests();
  await Promise.all([repeatedRequest, otherDeviceRequest]);
});

test('closing a form keeps requests that were open before', async () => {
  const previousRequest = createPendingRequest<string>();
  const storedRequest = requestDevice({ kind: 'send', device: 'Wallet of this file', request: previousRequest.request });
  const openRequests = $deviceRequests.get();
  const pendingRejection = readRejection(
    requestDevice({ kind: 'connect', device: 'Wallet of this file', request: createPendingRequest().request }),
  );
  cancelRequests(openRequests);
  expect(isAbortError(await pendingRejection)).toBe(true);
  previousRequest.answer('0x1');
  expect(await storedRequest).toBe('0x1');
});

test('an aborted signal ends the wait, or prevents the request', async () => {
  const abortController = new AbortController();
  const pendingRequest = readRejection(
    requestDevice({ kind: 'passkey', device: '', request: createPendingRequest().request, signal: abortController.signal }),
  );
  abortController.abort();
  expect(isAbortError(await pendingRequest)).toBe(true);
  const request = () => expect.unreachable();
  expect(
    isAbortError(await readRejection(requestDevice({ kind: 'passkey', device: '', request, signal: abortController.signal }))),
  ).toBe(true);
});
