import { afterEach, expect, test } from 'vitest';
import { $deviceRequests, requestDevice, isAbortError, stopWaiting } from '../../lib/device/device-request.ts';
import type { CommandQuestion } from '../engine/host.ts';
import { collectParams } from './collect.ts';
import { $question } from './open-dialogs.ts';

const question = { command: { id: 'news.add' }, targets: [] } as unknown as CommandQuestion;

afterEach(() => $question.set(null));

test('a form counts as left once its answer is being sent, and as canceled before', async () => {
  for (const leave of [() => $question.get()?.answer(null), () => void collectParams(question)]) {
    const requested = collectParams(question);
    const answer = requested.ask();
    $question.get()?.answer({ title: 'x' });
    expect(await answer).toEqual({ title: 'x' });
    expect([requested.isAbandoned(), $question.get()?.busy]).toEqual([false, true]);
    leave();
    expect([requested.isAbandoned(), $question.get()]).toEqual([true, null]);
  }
  const requested = collectParams(question);
  const answer = requested.ask();
  $question.get()?.answer(null);
  expect([await answer, requested.isAbandoned()]).toEqual([null, false]);
});

test('leaving a form during sending stops waiting for its own device only', async () => {
  const hanging = () => new Promise<never>(() => {});
  const before = requestDevice({ kind: 'send', device: 'W', request: hanging }).catch((error: unknown) => error);
  const requested = collectParams(question);
  const answer = requested.ask();
  $question.get()?.answer({ title: 'x' });
  await answer;
  const own = requestDevice({ kind: 'connect', device: 'W', request: hanging }).catch((error: unknown) => error);
  $question.get()?.answer(null);
  expect(isAbortError(await own)).toBe(true);
  expect($deviceRequests.get().map(({ kind }) => kind)).toEqual(['send']);
  stopWaiting();
  await before;
});
