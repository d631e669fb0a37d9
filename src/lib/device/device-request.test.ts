import { afterEach, expect, test } from 'vitest';
import { setImmediate } from 'node:timers/promises';
import { $deviceRequests, requestDevice, isAbortError, stopWaiting } from './device-request.ts';

afterEach(() => stopWaiting());

function hanging<T>() {
  let answer: (value: T) => void = () => {};
  let refuse: (error: Error) => void = () => {};
  const request = () =>
    new Promise<T>((resolve, reject) => {
      answer = resolve;
      refuse = reject;
    });
  return { request, answer: (value: T) => answer(value), refuse: (error: Error) => refuse(error) };
}

const refusalOf = (requested: Promise<unknown>) =>
  requested.then(
    () => null,
    (error: unknown) => error,
  );

test('a request is open until the device answers', async () => {
  const device = hanging<string>();
  const requested = requestDevice({ kind: 'sign', device: 'Wallet of this file', request: device.request });
  expect($deviceRequests.get()).toMatchObject([{ kind: 'sign', device: 'Wallet of this file', isRepeated: false }]);
  device.answer('signed');
  expect(await requested).toBe('signed');
  expect($deviceRequests.get()).toEqual([]);
});

test('a device that throws immediately leaves no request open', async () => {
  const request = () => Promise.reject(new Error('locked'));
  await expect(requestDevice({ kind: 'sign', device: 'Wallet of this file', request })).rejects.toThrow('locked');
  expect($deviceRequests.get()).toEqual([]);
});

test('a stopped request ends, and its late response goes only to onLate', async () => {
  const device = hanging<string>();
  const late: string[] = [];
  let cancelled = 0;
  const requested = requestDevice({
    kind: 'send',
    device: 'Wallet of this file',
    request: device.request,
    cancel: () => cancelled++,
    onLate: (answer) => late.push(answer),
  });
  stopWaiting();
  expect(isAbortError(await refusalOf(requested))).toBe(true);
  expect([$deviceRequests.get(), cancelled, late]).toEqual([[], 1, []]);
  device.answer('0x1');
  await setImmediate();
  expect(late).toEqual(['0x1']);
});

test('a late rejection of a stopped request is ignored', async () => {
  const device = hanging<string>();
  const requested = requestDevice({
    kind: 'send',
    device: 'Wallet of this file',
    request: device.request,
    onLate: () => expect.unreachable(),
  });
  stopWaiting();
  await refusalOf(requested);
  device.refuse(new Error('User rejected the request.'));
  await setImmediate();
});

test('a request is marked as repeated while the device may still show an earlier one', async () => {
  const first = hanging<string>();
  const requested = refusalOf(requestDevice({ kind: 'send', device: 'Wallet of this file', request: first.request }));
  stopWaiting();
  await requested;
  const repeated = () => $deviceRequests.get().map(({ isRepeated }) => isRepeated);

  const again = refusalOf(requestDevice({ kind: 'send', device: 'Wallet of this file', request: hanging().request }));
  expect(repeated()).toEqual([true]);
  const other = refusalOf(requestDevice({ kind: 'send', device: 'Other', request: hanging().request }));
  expect(repeated()).toEqual([true, false]);
  first.answer('0x1');
  await setImmediate();
  stopWaiting();
  await Promise.all([again, other]);
});

test('closing a form keeps requests that were open before', async () => {
  const before = hanging<string>();
  const stored = requestDevice({ kind: 'send', device: 'Wallet of this file', request: before.request });
  const open = $deviceRequests.get();
  const left = refusalOf(requestDevice({ kind: 'connect', device: 'Wallet of this file', request: hanging().request }));
  stopWaiting(open);
  expect(isAbortError(await left)).toBe(true);
  before.answer('0x1');
  expect(await stored).toBe('0x1');
});

test('an aborted signal ends the wait, or prevents the request', async () => {
  const aborter = new AbortController();
  const requested = refusalOf(requestDevice({ kind: 'passkey', device: '', request: hanging().request, signal: aborter.signal }));
  aborter.abort();
  expect(isAbortError(await requested)).toBe(true);
  const request = () => expect.unreachable();
  expect(isAbortError(await refusalOf(requestDevice({ kind: 'passkey', device: '', request, signal: aborter.signal })))).toBe(
    true,
  );
});
