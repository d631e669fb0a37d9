import { expect, test } from 'vitest';
import { canonicalNetwork } from './cidr.ts';

test.each([
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['203.0.113.7', '203.0.113.7/32'],
  ['2001:DB8::1/32', '2001:db8::/32'],
  ['::ffff:10.1.2.3', '10.1.2.3/32'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ['fe80::1%eth0/64', 'fe80::/64'],
])('the network of %s is %s', (text, network) => {
  expect(canonicalNetwork(text)).toBe(network);
});

test.each([
  '010.0.0.1',
  '10.0.0.08/8',
  '0x7f.1',
  '167772161',
  '1.2.3.4/33',
  '1.2.3',
  '::1/129',
  '::ffff:10.1.2.3/90',
  '/8',
  '1.2.3.4/',
  'no',
])('%s is no network, as readers of IPv4 with leading zeros disagree', (text) => {
  expect(canonicalNetwork(text)).toBeNull();
});
