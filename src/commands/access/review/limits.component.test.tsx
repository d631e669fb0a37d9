import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { loadWords } from '../../../lib/i18n/words.ts';
import { mockRoutes } from '../../../testing/api.ts';
import { setTestLocale, signIn } from '../../../testing/panel.tsx';
import { NetworksHelper } from './limits.tsx';

function NetworksField() {
  const [networks, setNetworks] = useState('203.0.113.77');
  return (
    <div role="group" aria-label="Networks of a role">
      <output>{networks}</output>
      <NetworksHelper values={{ networks }} start={{}} set={(_, value) => setNetworks(String(value))} />
    </div>
  );
}

test('one’s own address can be added to a role’s networks unless the list has exactly that address', async () => {
  setTestLocale('en-US');
  const policy = { address: '203.0.113.7', isProxyLikely: false, isEnforced: true, idleMinutes: 60, sessionHours: 12 };
  await signIn('all', '/account', { roles: { policy: mockRoutes.roles.policy.handler(() => policy) } });
  await loadWords('roles');
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<NetworksField />);
  const group = page.getByRole('group', { name: 'Networks of a role' });
  await group.getByRole('button', { name: 'Add my address' }).click();
  expect(group.css('output').element().textContent).toBe('203.0.113.77\n203.0.113.7');
  const listedButton = group.getByRole('button', { name: 'Your address is listed' });
  await expect.element(listedButton).toHaveFocus();
  await expect.element(listedButton).toHaveAttribute('aria-disabled', 'true');
  root.unmount();
});
