import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountIdentity, AdministratorDetails, AdministratorRow } from '../../../../api/access/administrators.ts';
import { enPanel } from '../../../lib/i18n/en-US/index.ts';
import { enResources } from '../../../lib/i18n/en-US/resources.ts';
import { setDictionary } from '../../../lib/i18n/i18n.ts';
import { AccountSource, RoleSources } from './identity.tsx';
import '../../../styles.css';

const at = '2026-11-29T06:00:00.000Z';
const row = { id: '1', email: 'ada@acme.example', factorGap: null } as AdministratorRow;
const identity: AccountIdentity = {
  providerName: 'Acme',
  isProvisioned: false,
  origin: { kind: 'server', by: null },
  links: [],
  vouched: null,
  roles: [],
};
const link: AccountIdentity['links'][number] = {
  issuer: 'https://login.acme.example',
  subject: 'subject-1',
  email: 'ada@acme.example',
  origin: 'self',
  linkedBy: 'ada@acme.example',
  linkedAt: at,
  lastUsedAt: null,
  isFormer: false,
};
const provider: NonNullable<AdministratorDetails['provider']> = {
  userName: 'ada',
  externalId: '00u1',
  displayName: 'Ada Byron',
  active: true,
  email: 'ada@acme.example',
  groups: ['Newsroom'],
  handedOverBy: null,
  since: at,
  deletedAt: null,
};

let element: HTMLElement;
let root: ReturnType<typeof createRoot>;
beforeEach(() => {
  setDictionary('en-US', { ...enPanel, ...enResources });
  element = document.body.appendChild(document.createElement('div'));
  element.style.width = '280px';
  root = createRoot(element);
});
afterEach(() => {
  root.unmount();
  element.remove();
});

const render = (
  changes: Partial<AccountIdentity> = {},
  managed: AdministratorDetails['provider'] = null,
  account: AdministratorRow = row,
): string => {
  const details = { identity: { ...identity, ...changes }, provider: managed } as AdministratorDetails;
  flushSync(() => root.render(<AccountSource row={account} details={details} />));
  expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth);
  return element.textContent ?? '';
};

test('an account without a provider shows who added it and nothing about provisioning', () => {
  const text = render();
  expect(text).toContain('The server, at setup or on the command line');
  expect(text).toContain('Not linked');
  expect(text).not.toContain('Provisioning');
  expect(render({ origin: { kind: 'colleague', by: 'access@acme.example' } })).toContain('access@acme.example');
  expect(render({ origin: { kind: 'groups', by: null } })).toContain('Acme, by the person’s groups');
  expect(render({ isProvisioned: true })).toContain('ProvisioningOff');
});

test('a linked account shows issuer, subject and inviter, and a link of an earlier provider says that it no longer works', () => {
  const text = render({ links: [{ ...link, origin: 'invitation', linkedBy: 'access@acme.example' }] });
  for (const part of ['https://login.acme.example', 'subject-1', 'by access@acme.example', 'Never']) expect(text).toContain(part);
  expect(text).not.toContain('Not linked');
  const former = render({ links: [{ ...link, issuer: 'https://old.example', isFormer: true }] });
  expect(former).toContain('Not linked');
  expect(former).toContain('This link is from an earlier provider and no longer works.');
});

test('a provisioned account shows what the provider says, and its new email only if it differs', () => {
  const text = render({ isProvisioned: true }, { ...provider, handedOverBy: 'access@acme.example' });
  for (const part of ['On since', 'Turned on by access@acme.example', 'Ada Byron', '00u1', 'Newsroom', 'Active'])
    expect(text).toContain(part);
  expect(text).not.toContain('New email at the provider');
  const changed = render({}, { ...provider, email: 'new@acme.example', active: false, groups: [] });
  expect(changed).toContain('New email at the providernew@acme.example');
  expect(changed).toContain('Inactive');
  expect(render({}, { ...provider, deletedAt: at })).toContain('Deleted there');
});

test('a second factor shows who vouched for it, or that a code is needed', () => {
  expect(render({ vouched: { at, by: 'access@acme.example' } })).toContain('access@acme.example');
  expect(render({ vouched: { at, by: null } })).toContain('The person, with the password');
  const text = render({}, null, { ...row, factorGap: 'VOUCH' });
  expect(text).toContain('Enrollment codeRequired');
});

test('each role shows whether the provider, a colleague or both gave it', () => {
  const roles: AccountIdentity['roles'] = [
    { id: '1', name: 'Writers', sources: ['idp'] },
    { id: '2', name: 'Readers', sources: ['panel'] },
    { id: '3', name: 'Reviewers', sources: ['idp', 'panel'] },
  ];
  flushSync(() => root.render(<RoleSources of={{ ...identity, roles }} />));
  expect([...element.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'WritersFrom Acme',
    'ReadersFrom a colleague',
    'ReviewersFrom Acme and a colleague',
  ]);
});
