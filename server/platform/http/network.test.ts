import { expect, test } from 'vitest';
import { clientIp, networkOf } from './network.ts';
import { peerAt } from '../../testing/support.ts';

const forwarded = (value: string) => new Headers({ 'x-forwarded-for': value });

test('without a proxy of ours X-Forwarded-For says nothing', () => {
  expect(clientIp(forwarded('1.2.3.4'), peerAt('10.0.0.1'), 0)).toBe('10.0.0.1');
});

test('with one proxy only its own entry counts, not what the client wrote before it', () => {
  expect(clientIp(forwarded('6.6.6.6, 1.2.3.4'), peerAt('10.0.0.1'), 1)).toBe('1.2.3.4');
});

test('what is no address falls back to the peer', () => {
  expect(clientIp(forwarded('<script>'), peerAt('10.0.0.1'), 1)).toBe('10.0.0.1');
  expect(clientIp(new Headers(), peerAt('10.0.0.1'), 2)).toBe('10.0.0.1');
});

test('an IPv4 address in IPv6 spelling is the same place', () => {
  expect(clientIp(new Headers(), peerAt('::ffff:10.0.0.1'), 0)).toBe('10.0.0.1');
});

test('a subscriber of IPv6 is one place whichever address they take', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('10.0.0.1')).toBe('10.0.0.1');
});
