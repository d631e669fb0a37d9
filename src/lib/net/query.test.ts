import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryClient, refreshResources } from './query.ts';

test('a first read that overlaps a change is repeated, because its response may be stale', async () => {
  const answers: ((value: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => void answers.push(resolve));
  const observer = new QueryObserver<string>(queryClient, { queryKey: ['news', 'list'], queryFn });
  const leave = observer.subscribe(() => {});
  expect(answers).toHaveLength(1);
  const fresh = refreshResources(['news']);
  answers[0]?.('of before');
  await expect.poll(() => answers.length).toBe(2);
  expect(observer.getCurrentResult().data).toBe('of before');
  answers[1]?.('of now');
  await fresh;
  expect(observer.getCurrentResult().data).toBe('of now');
  leave();
  queryClient.clear();
});

test('a failed first read does not prevent the next one', async () => {
  let requested = 0;
  const queryFn = () => (++requested === 1 ? Promise.reject(new Error('no')) : Promise.resolve('of now'));
  const observer = new QueryObserver<string>(queryClient, { queryKey: ['notices', 'list'], queryFn });
  const leave = observer.subscribe(() => {});
  await refreshResources(['notices']);
  expect(observer.getCurrentResult().data).toBe('of now');
  leave();
  queryClient.clear();
});
