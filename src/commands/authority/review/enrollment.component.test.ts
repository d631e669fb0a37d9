import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuthoritySummary, StatementRow } from '../../../../api/authority/contract.ts';
import { proposedKinds } from '../../../../api/authority/values.ts';
import { canonicalHash } from '../../../../api/authority/canonical.ts';
import type { AuthorityKey, Statement } from '../../../../api/authority/statements.ts';
import { keyWordsOf } from '../../../lib/authority/key-words.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import { on } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { signIn } from '../../../testing/panel.tsx';

const person = '01900000-0000-7000-8000-000000000009';
const key: AuthorityKey = { type: 'wallet', address: '0x00000000000000000000000000000000000000A1' };
const words = keyWordsOf(key);
const at = '2026-11-27T10:00:00.000Z';

const statementOf = (name: string): Statement => ({
  v: 2,
  kind: 'approver.add',
  id: '01900000-0000-7000-8000-00000000000a',
  log: { genesis: 'a'.repeat(64), chainId: 1, bridge: '0x2222222222222222222222222222222222222222' },
  after: { number: 4, hash: 'b'.repeat(64) },
  expires: '2026-12-04T10:00:00.000Z',
  content: { person, name, roles: [], key },
});

const rowOf = (name: string, mine: boolean, id = canonicalHash(statementOf(name))): StatementRow => ({
  id,
  number: null,
  kind: 'approver.add',
  by: { person, name },
  at,
  expires: '2026-12-04T10:00:00.000Z',
  state: 'draft',
  from: null,
  needed: 2,
  missing: 2,
  signed: [{ person, name, at, key: 'wallet', counts: true }],
  mine,
  statement: statementOf(name),
});

async function openStatement(colleague: string | null): Promise<void> {
  const id = colleague === null ? 'c'.repeat(64) : canonicalHash(statementOf(colleague));
  const row = () => rowOf(colleague ?? $loginEmail.get(), colleague !== null, id);
  await signIn('all', `/selfCustody/authority?open=${id}`, {
    authority: {
      summary: on.authority.summary.handler(() => ({
        genesis: 'a'.repeat(64),
        development: false,
        head: { number: 4, hash: 'b'.repeat(64) },
        people: [],
        rules: [],
        minters: [],
        custody: [],
        receivers: [],
        freezes: [],
        needed: Object.fromEntries(proposedKinds.map((kind) => [kind, 2])) as AuthoritySummary['needed'],
        waiting: 1,
        own: [key],
      })),
      list: on.authority.list.handler(() => ({
        rows: [row()],
        nextCursor: null,
        prevCursor: null,
        count: { value: 1, kind: 'exact' },
      })),
      many: on.authority.many.handler(() => [row()]),
      details: on.authority.details.handler(() => ({
        keys: [{ key: { type: 'wallet', address: '0x00000000000000000000000000000000000000B2' }, from: at, cooling: false }],
        changes: [
          { what: 'email', at, by: 'mallory@demo.local', own: false },
          { what: 'password', at, by: 'colleague@demo.local', own: true },
        ],
        more: 3,
      })),
    },
  });
}

const shown = () => page.css('[data-enrolment] [data-key-words] li');
const texts = () =>
  shown()
    .elements()
    .map(({ textContent }) => textContent);

test('the owner of a key sees its six words on the record until it is closed', async () => {
  await openStatement(null);
  await expect.poll(texts).toEqual(words);
  await expect.element(page.css('[data-enrolment]')).toHaveTextContent('请逐词读出这六个词');
  await new Promise((resolve) => setTimeout(resolve, 6_000)); // longer than a toast is shown
  expect(texts()).toEqual(words);
  await press('Escape');
  await expect.poll(texts).toEqual([]);
});

test('the signer of a colleague’s key sees its six words, the account’s keys and who changed the account', async () => {
  await openStatement('colleague@demo.local');
  await expect.poll(texts).toEqual(words);
  await press('Shift+A');
  const review = page.getByRole('alertdialog');
  await expect
    .poll(() => [...review.element().querySelectorAll('[data-key-words] li')].map((one) => one.textContent))
    .toEqual(words);
  await expect.element(review).toHaveTextContent('0x00000000000000000000000000000000000000B2');
  await expect.element(review).toHaveTextContent('mallory@demo.local');
  await expect.element(review).toHaveTextContent('另有 3 项变更');
  const yes = review.getByRole('button').last();
  await expect.element(yes).toHaveAttribute('aria-disabled', 'true');
  await review.getByRole('checkbox').click();
  await expect.element(yes).not.toHaveAttribute('aria-disabled', 'true');
});
