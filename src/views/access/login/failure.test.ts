import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../../lib/net/client.ts';
import { enSignIn } from '../../../lib/i18n/en-US/access/sign-in.ts';
import { setDictionary } from '../../../lib/i18n/i18n.ts';
import { ChunkError } from '../../../lib/chunks/loader.ts';
import { emptyFieldsOf, signInFailureOf } from './failure.ts';

beforeAll(() => setDictionary('en-US', enSignIn));

describe('the sign-in form', () => {
  it.each([
    ['', '', { email: true, password: true }],
    ['  ', 'x', { email: true, password: false }],
    ['a@b.c', '   ', { email: false, password: true }],
    ['a@b.c', ' x ', { email: false, password: false }],
  ])('reports the empty fields of email %o and password %o', (email, password, emptyFields) => {
    expect(emptyFieldsOf({ email, password })).toEqual(emptyFields);
  });
});

describe('the sign-in error', () => {
  it.each([
    [new ApiError('SIGN_IN_FAILED', 'req-1'), 'Incorrect email or password. Try again.', null],
    [new ApiError('TOO_MANY_REQUESTS', 'req-1'), 'Too many attempts. Try again later.', null],
    [new ApiError('OFFLINE'), 'No connection, so nothing was changed. Check your network and try again.', null],
    [new ApiError('INTERNAL', 'req-1'), 'An error occurred, please try again!', 'req-1'],
    [
      new ChunkError('chunk', 'missing'),
      'Loading chunk failed · Couldn’t download a file (missing). Check your connection and try again.',
      null,
    ],
    [
      new ChunkError('styles', 'timeout'),
      'Loading CSS chunk failed · A file didn’t arrive within 120 seconds (timeout). Check your connection and try again.',
      null,
    ],
    [
      new ChunkError('chunk', 'SyntaxError'),
      'Loading chunk failed · A file is damaged (SyntaxError). Try again, or reload the page.',
      null,
    ],
    [new Error('boom'), 'An error occurred, please try again!', null],
    ['boom', 'An error occurred, please try again!', null],
  ])('for %o', (error, text, requestId) => {
    expect(signInFailureOf(error)).toEqual({ text, requestId });
  });
});
