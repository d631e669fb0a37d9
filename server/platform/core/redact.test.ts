import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { describeError } from './log.ts';
import { redact, redactShort } from './redact.ts';

const key = 'c0ffee00c0ffee00c0ffee00c0ffee00';

test('keeps only scheme and host of a URL', () => {
  for (const [text, shortText] of [
    [`fetch https://node.example/v2/${key} failed`, 'fetch https://node.example/… failed'],
    [`URL: wss://user:${key}@node.example:8443`, 'URL: wss://node.example:8443'],
    [`(https://node.example?token=${key})`, '(https://node.example/…'],
    [`postgres://panel:${key}@10.0.0.1:5432/panel`, 'postgres://10.0.0.1:5432/…'],
    [`http://[::1]:8545/${key}, again`, 'http://[::1]:8545/…, again'],
    ['https://node.example', 'https://node.example'],
    ['nothing to hide: 1//2', 'nothing to hide: 1//2'],
  ] as const)
    expect(redact(text), text).toBe(shortText);
});

test('removes configured secrets from any text, even outside a URL', () => {
  const password = 'correct-horse-7';
  readConfig({
    NODE_ENV: 'test',
    EVM_RPC_URLS: `https://one.example/v3/${key},https://two.example/?apikey=secretvalue1`,
    EVM_CHAIN_ID: '1',
    YU_ADDRESS: '0x52908400098527886E0F7030069857D2E4169EE7',
    ...Object.fromEntries(
      ['YBTC', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS', 'CUSTODY_BRIDGE'].map((name) => [
        `${name}_ADDRESS`,
        '0x52908400098527886E0F7030069857D2E4169EE7',
      ]),
    ),
    DATABASE_URL: `postgres://panel:${encodeURIComponent(`${password}%`)}@db.example/panel`,
    SECRET_KEY: 's'.repeat(40),
  });
  const reportedText = `POST /v3/${key} ?apikey=secretvalue1 password ${password}% key ${'s'.repeat(40)}`;
  expect(redact(reportedText)).toBe('POST /v3/[redacted] ?apikey=[redacted] password [redacted] key [redacted]');
});

test('describes an error without secrets in its message and stack', () => {
  const error = new Error(`no answer of https://node.example/v2/${key}`);
  error.stack = `Error: x\n    at https://node.example/v2/${key}\n    at file:///srv/panel/server.js:1:2`;
  const loggedError = describeError(error);
  expect(loggedError.message).toBe('no answer of https://node.example/…');
  expect(loggedError.at).toEqual(['at https://node.example/…', 'at file:///srv/panel/server.js:1:2']);
});

test('reads only the beginning of a long text and never cuts a secret in two', () => {
  const text = redactShort(`${'x'.repeat(90)} https://node.example/${key} ${'y'.repeat(1_000_000)}`, 100);
  expect(text).toHaveLength(100);
  expect(text).not.toContain('c0ffee');
});
