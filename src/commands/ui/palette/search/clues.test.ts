import { describe, expect, test } from 'vitest';
import { parseClues } from './clues.ts';

const address = '0xAbcdef0123456789abcdef0123456789ABCDEF01';
const txid = 'a1'.repeat(32);
const id = '019ab3c4-0000-7000-8000-00000000abcd';

describe('pasted text is recognized by its shape', () => {
  test.each([
    [id, id, ['id']],
    [`https://panel.example/news?open=${id}&q=x`, id, ['id']],
    [` ${id}\n`, id, ['id']],
    [address, address, ['address', 'wholeAddress']],
    [`https://explorer.example/address/${address}#code`, address, ['address', 'wholeAddress']],
    ['0xab', '0xab', ['address', 'hash']],
    [txid.toUpperCase(), txid, ['hash']],
    [`0x${txid}`, txid, ['hash']],
    [`${txid}:3`, `${txid}:3`, ['hash']],
    [`https://mempool.example/tx/${txid}`, txid, ['hash']],
    ['a1b2c3d4e5', 'a1b2c3d4e5', ['hash', 'words']],
    ['Ann <ann@example.com>', 'ann@example.com', ['email']],
    ['mailto:ann@example.com', 'ann@example.com', ['email']],
    ['ann@', 'ann@', ['email']],
    ['tb1qobi', 'tb1qobi', ['words']], // b, i and o are not in its alphabet
    ['bc1pqqqqqqqqqq', 'bc1pqqqqqqqqqq', ['bitcoin']],
    ['主网', '主网', ['words']],
    ['new notice', 'new notice', ['words']],
  ])('%s', (query, text, clues) => expect(parseClues(query)).toEqual({ text, clues }));

  test.each(['', ' ', 'x', '  a '])('"%s" is too short to search', (query) => expect(parseClues(query)).toBeNull());
});

test('a hash or address that is one digit short or long is not recognized', () => {
  expect(parseClues(`${txid}0`)?.clues).toEqual(['words']);
  expect(parseClues(`${address}0`)?.clues).toEqual(['address', 'hash']);
});
