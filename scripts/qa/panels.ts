import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../chain/free-port.ts';
import { startPostgres } from '../../server/platform/db/postgres.ts';
import { startServer } from '../../server/testing/process.ts';

export interface Panels {
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

const template = 'qa_template';

/** Copies the state of one, so that all are identical. `at`: start of their clocks. */
export async function startPanels(
  count: number,
  { at, env = {} }: { at?: Date | undefined; env?: Readonly<Record<string, string>> } = {},
): Promise<Panels> {
  const folder = await mkdtemp(join(tmpdir(), 'panels-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const postgres = await startPostgres({ dataDir: join(folder, 'database'), durable: false });
    ends.push(postgres.stop);
    const sql = async (text: string) => {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      try {
        await client.query(text);
      } finally {
        await client.end();
      }
    };
    const start = async (name: string) => {
      const database = new URL(postgres.url);
      database.pathname = `/${name}`;
      const port = String(await freePort());
      const server = startServer(join(folder, name), { ...env, QA_TOOLS: 'on', DATABASE_URL: database.href, PORT: port });
      const end = async () => {
        server.child.kill('SIGTERM');
        await server.ended;
      };
      ends.push(end);
      await server.ready;
      return { url: `http://localhost:${port}`, end };
    };

    await sql(`create database ${template}`);
    await mkdir(join(folder, template), { recursive: true });
    if (at) {
      const state = { aheadMs: at.getTime() - Date.now(), unlimited: false };
      await writeFile(join(folder, template, 'environment.json'), JSON.stringify(state));
    }
    await (await start(template)).end();
    const urls = [];
    for (let worker = 1; worker <= count; worker++) {
      const name = `qa_${worker}`;
      await sql(`create database ${name} template ${template}`);
      await cp(join(folder, template), join(folder, name), { recursive: true });
      urls.push((await start(name)).url);
    }
    return { urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
