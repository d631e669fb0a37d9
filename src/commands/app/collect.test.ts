import { afterEach, expect, test } from 'vitest';
import { $deviceRequests, requestDevice, isAbortError, cancelRequests } from '../../lib/device/device-request.ts';
import type { CommandQuestion } from '../engine/host.ts';
import { collectParams } from './collect.ts';
import { $question } from './open-dialogs.ts';

const question = { command: { id: 'news.add' }, targets: [] } as unknown as CommandQuestion;

afterEach(() => $question.set(null));

test('a form counts as left once its answer is being sent, and as canceled before', async () => {
  for (const cancel of [() => $question.get()?.answer(null), () => void collectParams(question)]) {
    const collector = collectParams(question);
    const answer = collector.ask();
    $question.get()?.answer({ title: 'x' });
    expect(await answer).toEqual({ title: 'x' });
    expect([collector.isAbandoned(), $question.get()?.busy]).toEqual([false, true]);
    cancel();
    expect([collector.isAbandoned(), $question.get()]).toEqual([true, null]);
  }
  const collector = collectParams(question);
  const answer = collector.ask();
  $question.get()?.answer(null);
  expect([await answer, collector.isAbandoned()]).toEqual([null, false]);
});

test('leaving a form during sending stops waiting for its own device only', async () => {
  const neverResolve = () => new Promise<never>(() => {});
  const previousRequest = requestDevice({ kind: 'send', device: 'W', request: neverResolve }).catch((error: unknown) => error);
  const collector = collectParams(question);
  const answer = collector.ask();
  $question.get()?.answer({ title: 'x' });
  await answer;
  const ownRequest = requestDevice({ kind: 'connect', device: 'W', request: neverResolve }).catch((error: unknown) => error);
  $question.get()?.answer(null);
  expect(isAbortError(await ownRequest)).toBe(true);
  expect($deviceRequests.get().map(({ kind }) => kind)).toEqual(['send']);
  cancelRequests();
  await previousRequest;
});
