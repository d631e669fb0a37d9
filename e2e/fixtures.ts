import pg from 'pg';
import { demoAccounts, demoPassword, type RoleName } from '../server/seeded-roles.ts';
import { signIn } from '../scripts/sign-in.ts';
import { base, expect, Panel, pressKeys } from './kit.ts';
import { copyTemplate } from './support/database.ts';
import { startServer, type TestServer } from './support/server.ts';

/** Scripts the panel as QA does: by command, through the palette, or by its keys. See e2e/README.md. */
export class Admin extends Panel {
  /** Signs in through the API as one of the seeded roles and opens a screen. */
  async signIn(role: RoleName = 'all', path = '/'): Promise<void> {
    const { email } = demoAccounts.find((account) => account.role === role) ?? demoAccounts[0];
    await this.enter(await signIn(this.post, { email, password: demoPassword }), path);
  }
}

type OwnServer = TestServer & { databaseUrl: string };

interface WorkerFixtures {
  /** The server of a file: its tests share it one after another, the next file has another. */
  serverOf: (file: string, env: Record<string, string>) => Promise<OwnServer>;
}
interface Fixtures {
  /** Environment of the file's server, besides what every one has. */
  serverEnv: Record<string, string>;
  server: OwnServer;
  admin: Admin;
  /** Reads and writes the file's own database. */
  db: pg.Client;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverOf: [
    async ({}, use, { workerIndex }) => {
      const running = new Map<string, OwnServer>();
      const stop = async () => {
        for (const server of running.values()) await server.stop();
        running.clear();
      };
      await use(async (file, env) => {
        const there = running.get(file);
        if (there) return there;
        await stop();
        const databaseUrl = await copyTemplate(`e2e_${workerIndex}`);
        const server = { ...(await startServer(databaseUrl, env)), databaseUrl };
        running.set(file, server);
        return server;
      });
      await stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  serverEnv: [{}, { option: true }],
  server: [
    async ({ serverOf, serverEnv }, use, { file }) => use(await serverOf(file, serverEnv)),
    { timeout: 90_000 }, // the first test of a file starts it
  ],
  admin: async ({ page, server }, use) => {
    await use(new Admin(page, server.url));
  },
  db: async ({ server }, use) => {
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    await use(client);
    await client.end();
  },
});

export { expect, pressKeys };
