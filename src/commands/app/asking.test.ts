import { afterEach, expect, test } from 'vitest';
import type { Question } from '../engine/host.ts';
import { collect } from './asking.ts';
import { $question } from './questions.ts';

const question = { command: { id: 'news.add' }, targets: [] } as unknown as Question;

afterEach(() => $question.set(null));

test('a form is left once its answer is being sent, by hand or as another opens; given up before that it was none', async () => {
  for (const leave of [() => $question.get()?.answer(null), () => void collect(question)]) {
    const asked = collect(question);
    const answer = asked.ask();
    $question.get()?.answer({ title: 'x' });
    expect(await answer).toEqual({ title: 'x' });
    expect([asked.isLeft(), $question.get()?.busy]).toEqual([false, true]);
    leave();
    expect([asked.isLeft(), $question.get()]).toEqual([true, null]);
  }
  const asked = collect(question);
  const answer = asked.ask();
  $question.get()?.answer(null);
  expect([await answer, asked.isLeft()]).toEqual([null, false]);
});
