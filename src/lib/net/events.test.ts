import { expect, test } from 'vitest';
import { readEvent } from './events.ts';

test('a message has a name and data; a comment is nothing', () => {
  expect(readEvent('event: access\ndata: 12')).toEqual({ event: 'access', data: '12' });
  expect(readEvent('event: session-ended\ndata: ')).toEqual({ event: 'session-ended', data: '' });
  expect(readEvent(': ')).toBeNull();
  expect(readEvent('')).toBeNull();
});
