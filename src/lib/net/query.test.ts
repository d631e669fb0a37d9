import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryClient, refreshResources } from './query.ts';

test('a first read that overlaps a change is repeated, because its response may be stale', async () => {
  const resolvers: ((value: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => void resolvers.push(resolve));
  const observer = new QueryObserver<string>(queryClient, { queryKey: ['news', 'list'], queryFn });
  const unsubscribe = observer.subscribe(() => {});
  expect(resolvers).toHaveLength(1);
  const refreshPromise = refreshResources(['news']);
  resolvers[0]?.('of before');
  await expect.poll(() => resolvers.length).toBe(2);
  expect(observer.getCurrentResult().data).toBe('of before');
  resolvers[1]?.('of now');
  await refreshPromise;
  expect(observer.getCurrentResult().data).toBe('of now');
  unsubscribe();
  queryClient.clear();
});

test('a failed first read does not prevent the next one', async () => {
  let requestCount = 0;
  const queryFn = () => (++requestCount === 1 ? Promise.reject(new Error('no')) : Promise.resolve('of now'));
  const observer = new QueryObserver<string>(queryClient, { queryKey: ['notices', 'list'], queryFn });
  const unsubscribe = observer.subscribe(() => {});
  await refreshResources(['notices']);
  expect(observer.getCurrentResult().data).toBe('of now');
  unsubscribe();
  queryClient.clear();
});
