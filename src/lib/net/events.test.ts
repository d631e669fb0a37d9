import { expect, test } from 'vitest';
import { readEvent } from './events.ts';

test('an event has a name and data, and a comment is ignored', () => {
  expect(readEvent('event: access\ndata: 12')).toEqual({ event: 'access', data: '12' });
  expect(readEvent('event: session-ended\ndata: ')).toEqual({ event: 'session-ended', data: '' });
  expect(readEvent(': ')).toBeNull();
  expect(readEvent('')).toBeNull();
});
