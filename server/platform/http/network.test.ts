import { expect, test } from 'vitest';
import { readClientIp, getNetwork } from './network.ts';
import { createPeer } from '../../testing/support.ts';

const forwardedHeaders = (value: string) => new Headers({ 'x-forwarded-for': value });

test('ignores X-Forwarded-For without a trusted proxy', () => {
  expect(readClientIp(forwardedHeaders('1.2.3.4'), createPeer('10.0.0.1'), 0)).toBe('10.0.0.1');
});

test('trusts only the proxy’s own entry, not the client’s before it', () => {
  expect(readClientIp(forwardedHeaders('6.6.6.6, 1.2.3.4'), createPeer('10.0.0.1'), 1)).toBe('1.2.3.4');
});

test('takes the peer’s address if the proxies sent none', () => {
  expect(readClientIp(new Headers(), createPeer('10.0.0.1'), 2)).toBe('10.0.0.1');
  expect(readClientIp(forwardedHeaders('1.2.3.4'), createPeer('10.0.0.1'), 2)).toBe('10.0.0.1');
});

test.each(['<script>', 'unknown', '_hidden', '1.2.3.4:x', '1.2.3:80', '[1.2.3.4'])(
  'never takes the proxy’s own address for %s, which would be in the proxy’s network',
  (entry) => {
    expect(readClientIp(forwardedHeaders(`6.6.6.6, ${entry}`), createPeer('10.0.0.1'), 1)).toBe('unknown');
  },
);

test.each([
  ['1.2.3.4:4711', '1.2.3.4'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[::ffff:10.0.0.9]:4711', '10.0.0.9'],
  ['2001:db8::1', '2001:db8::1'],
])('reads %s, as proxies write it, as %s', (entry, address) => {
  expect(readClientIp(forwardedHeaders(entry), createPeer('10.0.0.1'), 1)).toBe(address);
});

test('treats an IPv4-mapped IPv6 address as IPv4', () => {
  expect(readClientIp(new Headers(), createPeer('::ffff:10.0.0.1'), 0)).toBe('10.0.0.1');
});

test('treats a /64 of IPv6 as one network', () => {
  expect(getNetwork('2001:db8:1:2::1')).toBe(getNetwork('2001:db8:1:2:ffff::9'));
  expect(getNetwork('2001:db8:1:2::1')).not.toBe(getNetwork('2001:db8:1:3::1'));
  expect(getNetwork('10.0.0.1')).toBe('10.0.0.1');
});
