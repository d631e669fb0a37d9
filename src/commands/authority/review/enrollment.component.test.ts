import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuthoritySummary, StatementRow } from '../../../../api/authority/contract.ts';
import { proposedKinds } from '../../../../api/authority/values.ts';
import { canonicalHash } from '../../../../api/authority/canonical.ts';
import type { AuthorityKey, Statement } from '../../../../api/authority/statements.ts';
import { deriveKeyWords } from '../../../lib/authority/key-words.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import { mockRoutes } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { signIn } from '../../../testing/panel.tsx';

const personId = '01900000-0000-7000-8000-000000000009';
const key: AuthorityKey = { type: 'wallet', address: '0x00000000000000000000000000000000000000A1' };
const keyWords = deriveKeyWords(key);
const timestamp = '2026-11-27T10:00:00.000Z';

const statementOf = (name: string): Statement => ({
  v: 2,
  kind: 'approver.add',
  id: '01900000-0000-7000-8000-00000000000a',
  log: { genesis: 'a'.repeat(64), chainId: 1, bridge: '0x2222222222222222222222222222222222222222' },
  after: { number: 4, hash: 'b'.repeat(64) },
  expires: '2026-12-04T10:00:00.000Z',
  content: { person: personId, name, roles: [], key },
});

const rowOf = (name: string, isOwn: boolean, id = canonicalHash(statementOf(name))): StatementRow => ({
  id,
  number: null,
  kind: 'approver.add',
  by: { person: personId, name },
  at: timestamp,
  expires: '2026-12-04T10:00:00.000Z',
  state: 'draft',
  from: null,
  needed: 2,
  missing: 2,
  signed: [{ person: personId, name, at: timestamp, key: 'wallet', counts: true }],
  mine: isOwn,
  statement: statementOf(name),
});

async function openStatement(colleagueName: string | null): Promise<void> {
  const id = colleagueName === null ? 'c'.repeat(64) : canonicalHash(statementOf(colleagueName));
  const row = () => rowOf(colleagueName ?? $loginEmail.get(), colleagueName !== null, id);
  await signIn('all', `/selfCustody/authority?open=${id}`, {
    authority: {
      summary: mockRoutes.authority.summary.handler(() => ({
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
      list: mockRoutes.authority.list.handler(() => ({
        rows: [row()],
        nextCursor: null,
        prevCursor: null,
        count: { value: 1, kind: 'exact' },
      })),
      many: mockRoutes.authority.many.handler(() => [row()]),
      details: mockRoutes.authority.details.handler(() => ({
        account: {
          createdAt: new Date(Date.now() - 400 * 86_400_000).toISOString(),
          origin: { kind: 'colleague', by: 'inviter@demo.local' },
          providerName: 'Acme',
        },
        keys: [
          { key: { type: 'wallet', address: '0x00000000000000000000000000000000000000B2' }, from: timestamp, cooling: false },
        ],
        changes: [
          { what: 'email', at: timestamp, by: 'mallory@demo.local', own: false },
          { what: 'password', at: timestamp, by: 'colleague@demo.local', own: true },
        ],
        more: 3,
      })),
    },
  });
}

const shownWords = () => page.css('[data-enrolment] [data-key-words] li');
const statusTexts = () =>
  shownWords()
    .elements()
    .map(({ textContent }) => textContent);

test('the owner of a key sees its six words on the record until it is closed', async () => {
  await openStatement(null);
  await expect.poll(statusTexts).toEqual(keyWords);
  await expect.element(page.css('[data-enrolment]')).toHaveTextContent('请逐词读出这六个词');
  await expect.element(page.css('[data-enrolment] [data-account-source]')).toHaveTextContent('由管理员 inviter@demo.local 新增');
  await new Promise((resolve) => setTimeout(resolve, 6_000)); // longer than a toast is shown
  expect(statusTexts()).toEqual(keyWords);
  await press('Escape');
  await expect.poll(statusTexts).toEqual([]);
});

test('the signer of a colleague’s key sees its six words, where the account comes from and its age, its keys and who changed it', async () => {
  await openStatement('colleague@demo.local');
  await expect.poll(statusTexts).toEqual(keyWords);
  await press('Shift+A');
  const review = page.getByRole('alertdialog');
  await expect
    .poll(() => [...review.element().querySelectorAll('[data-key-words] li')].map((element) => element.textContent))
    .toEqual(keyWords);
  await expect.element(review).toHaveTextContent('0x00000000000000000000000000000000000000B2');
  await expect.element(review).toHaveTextContent('由管理员 inviter@demo.local 新增');
  await expect.element(review).toHaveTextContent('1 年前');
  await expect.element(review).toHaveTextContent('mallory@demo.local');
  await expect.element(review).toHaveTextContent('另有 3 项变更');
  const confirmButton = review.getByRole('button').last();
  await expect.element(confirmButton).toHaveAttribute('aria-disabled', 'true');
  await review.getByRole('checkbox').click();
  await expect.element(confirmButton).not.toHaveAttribute('aria-disabled', 'true');
});
