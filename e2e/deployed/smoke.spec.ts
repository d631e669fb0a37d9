import { expect, test } from '@admin-panel/qa';

// Only reads, so it may run against production.

test('a signed-in account gets its commands with their parameters', async ({ admin }) => {
  await admin.signIn();
  const commands = await admin.list();
  expect(commands.map(({ id }) => id)).toContain('go.home');
  for (const { id, params, schema, name } of commands) {
    expect(name.zh && name.en, id).toBeTruthy();
    expect(Object.keys(schema?.['properties'] ?? {}), id).toEqual(params.map((param) => param.name));
  }
});

test('every permitted screen opens by its command without a console error', async ({ admin, page }) => {
  await admin.signIn();
  for (const { id, permission } of (await admin.list()).filter((command) => command.id.startsWith('go.'))) {
    await admin.run(id);
    await expect(page, id).toHaveURL(`${admin.url}${permission}`);
    await expect(page.getByRole('heading', { level: 1 }), id).toBeVisible();
  }
});

test('a command without permission is refused', async ({ admin }) => {
  await admin.signIn();
  const availableCommands = new Set((await admin.list()).map(({ id }) => id));
  for (const id of ['news.delete', 'roles.delete', 'permissions.reset'] as const)
    if (!availableCommands.has(id))
      await expect(admin.run(id, { targets: [], confirm: true })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
});
