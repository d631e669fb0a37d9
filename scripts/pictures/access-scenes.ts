import { createHash, randomBytes } from 'node:crypto';
import type { Page } from 'playwright';
import { openScreen, pressAll, type Scene } from '../../qa/kit/scenes.ts';
import type { WindowWithAdmin } from '../../qa/kit/page.ts';

const inOneYear = (): string => new Date(Date.now() + 365 * 86_400_000).toISOString();

/** Service accounts, tokens, mappings and a role with limits, which the demo has none of. */
export async function stageRecords(page: Page, url: string): Promise<void> {
  await openScreen(page, `${url}/permissions/service`);
  await page.evaluate(async (expiresAt) => {
    const { admin } = window as WindowWithAdmin;
    if (!admin) throw new Error('the page accepts no commands');
    const optionsOf = (id: string, field: string) =>
      admin.options(id as never, { field }) as Promise<{ value: string; label: string }[]>;
    const [owner] = await optionsOf('services.add', 'owners');
    const editor = (await optionsOf('identity.addMapping', 'role')).find(({ label }) => /编辑|ditor/.test(label));
    const run = (id: string, options: object) => admin.run(id as never, options as never) as Promise<unknown>;
    for (const name of ['qa-kit', 'statement-export'])
      await run('services.add', { params: { name, description: 'Runs every night', owners: [owner?.value] } });
    await run('identity.addMapping', { params: { source: 'claim', value: 'newsroom', role: editor?.value } });
    await run('roles.add', {
      params: {
        name: 'Office only',
        description: 'Works in the office',
        needsFactor: true,
        grants: ['/', '/news', 'news.add'],
        mayGrant: [],
        networks: '203.0.113.0/24, 2001:db8::/32',
        idleMinutes: '20',
        sessionHours: '8',
      },
    });
    await run('identity.addScimToken', { params: { name: 'Acme provisioning', expiresAt, networks: '203.0.113.0/24' } });
  }, inOneYear());
  await page.locator('[data-new-token]').waitFor();
}

const runCommand = (page: Page, id: string, options: object = {}): Promise<void> =>
  page.evaluate(
    async ([command, given]) => {
      const { admin } = window as WindowWithAdmin;
      void (admin?.run(command as never, given as never) as Promise<unknown> | undefined)?.catch(() => {});
    },
    [id, options] as const,
  );

async function startCli(url: string): Promise<string> {
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  await fetch(`${url}/api/cli/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ challenge, name: 'build-01', port: null }),
  });
  return challenge;
}

/** Replaces parts of an answer of the server. */
const patchAnswer = (page: Page, route: string, patch: (answer: never) => unknown): Promise<unknown> =>
  page.route(`**/rpc/${route}`, async (call) => {
    const response = await call.fetch();
    const body = (await response.json()) as { json: never };
    await call.fulfill({ response, json: { ...body, json: patch(body.json) } });
  });

const answerWith = (page: Page, route: string, answer: object): Promise<unknown> =>
  page.route(`**/rpc/${route}`, (call) => call.fulfill({ json: { json: answer } }));
const unroute = (page: Page): Promise<void> => page.unrouteAll({ behavior: 'ignoreErrors' });

export const accessScenes = (url: string): Record<string, Scene> => ({
  'cli-approve': {
    path: '/account',
    act: async (page) => {
      await page.goto(`${url}/~cli.approve?challenge=${await startCli(url)}`);
      await page.locator('[data-cli-request]').waitFor();
    },
  },
  // These answer without the proof that is needed five minutes after the sign-in.
  'cli-code': {
    path: '/account',
    act: async (page) => {
      await answerWith(page, 'cli/approve', { code: 'Zk3vX0b9wq4S', port: null });
      await page.goto(`${url}/~cli.approve?challenge=${await startCli(url)}`);
      await page.locator('[data-cli-request]').waitFor();
      await pressAll(page, 'Control+Enter');
      await page.locator('[data-cli-code]').waitFor();
    },
    after: unroute,
  },
  'new-token': {
    path: '/permissions/identity',
    act: async (page) => {
      await answerWith(page, 'identity/addScimToken', { token: `apanel_scim_${'k7m2q9xv4t'.repeat(5).slice(0, 46)}` });
      await runCommand(page, 'identity.addScimToken', { params: { name: 'Acme', expiresAt: inOneYear(), networks: '' } });
      await page.locator('[data-new-token]').waitFor();
    },
    after: unroute,
  },
  'enrollment-code': {
    path: '/permissions/administrator',
    act: async (page) => {
      await patchAnswer(page, 'administrators/{list,get,many}', (answer: never) =>
        JSON.parse(JSON.stringify(answer).replaceAll('"factorGap":null', '"factorGap":"VOUCH"')),
      );
      await answerWith(page, 'administrators/giveEnrollmentCode', {
        code: 'k7m2q-9xv4t',
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      });
      await openScreen(page, '/permissions/administrator');
      await pressAll(page, 'j', 'j', 'Shift+E');
      await page.getByRole('alertdialog').getByRole('button').last().press('Enter');
      await page.locator('[data-enrollment-code]').waitFor();
    },
    after: unroute,
  },
  'role-limits': {
    path: '/permissions/role',
    act: async (page) => {
      await pressAll(page, 'j', 'e');
      const form = page.locator('[role=dialog][aria-modal=true]');
      const group = form.locator('button[aria-expanded]').last();
      await group.waitFor();
      if ((await group.getAttribute('aria-expanded')) === 'false') await group.press('Enter');
      await group.scrollIntoViewIfNeeded();
    },
  },
  'view-as': {
    path: '/permissions/role',
    act: async (page) => {
      await pressAll(page, 'j', 'j');
      await runCommand(page, 'roles.viewAs');
      await page.locator('[data-state=viewAs]').waitFor();
    },
    after: async (page) => {
      await runCommand(page, 'session.leaveView');
      await page.locator('[data-state=viewAs]').waitFor({ state: 'detached' });
    },
  },
  'inactive-roles': {
    path: '/account',
    act: async (page) => {
      await patchAnswer(page, 'session/current', (access: never) => Object.assign(access, { inactiveRoles: ['Office only'] }));
      await openScreen(page, '/account');
      await page.locator('[data-state=inactiveRoles]').waitFor();
    },
    after: unroute,
  },
  'sign-in': {
    path: '/account',
    act: async (page) => {
      const stored = await page.evaluate(() => JSON.stringify(localStorage));
      await page.evaluate(() => localStorage.removeItem('Authorization'));
      await page.goto(`${url}/login`);
      await page.locator('input[type=password]').waitFor();
      await page.evaluate((items) => Object.assign(window, { storedItems: items }), stored);
    },
    after: (page) =>
      page.evaluate(() => {
        const { storedItems } = window as unknown as { storedItems?: string };
        Object.assign(localStorage, JSON.parse(storedItems ?? '{}'));
      }),
  },
});
