import { expect, test } from 'vitest';
import { clientIp, networkOf } from './network.ts';
import { peerAt } from '../../testing/support.ts';

const forwarded = (value: string) => new Headers({ 'x-forwarded-for': value });

test('ignores X-Forwarded-For without a trusted proxy', () => {
  expect(clientIp(forwarded('1.2.3.4'), peerAt('10.0.0.1'), 0)).toBe('10.0.0.1');
});

test('trusts only the proxy’s own entry, not the client’s before it', () => {
  expect(clientIp(forwarded('6.6.6.6, 1.2.3.4'), peerAt('10.0.0.1'), 1)).toBe('1.2.3.4');
});

test('falls back to the peer for an invalid address', () => {
  expect(clientIp(forwarded('<script>'), peerAt('10.0.0.1'), 1)).toBe('10.0.0.1');
  expect(clientIp(new Headers(), peerAt('10.0.0.1'), 2)).toBe('10.0.0.1');
});

test('treats an IPv4-mapped IPv6 address as IPv4', () => {
  expect(clientIp(new Headers(), peerAt('::ffff:10.0.0.1'), 0)).toBe('10.0.0.1');
});

test('treats a /64 of IPv6 as one network', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('10.0.0.1')).toBe('10.0.0.1');
});
