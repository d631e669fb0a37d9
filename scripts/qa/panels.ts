import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../chain/free-port.ts';
import { startPostgres } from '../../server/platform/db/postgres.ts';
import { startServer } from '../../server/testing/process.ts';

export interface Panels {
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

const templateDatabase = 'qa_template';

/** Copies the state of one, so that all are identical. `at`: start of their clocks. */
export async function startPanels(
  count: number,
  { at, env = {} }: { at?: Date | undefined; env?: Readonly<Record<string, string>> } = {},
): Promise<Panels> {
  const folder = await mkdtemp(join(tmpdir(), 'panels-'));
  const stopFunctions: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const stopFunction of stopFunctions.splice(0).reverse()) await stopFunction();
  };
  try {
    const postgres = await startPostgres({ dataDir: join(folder, 'database'), durable: false });
    stopFunctions.push(postgres.stop);
    const sql = async (text: string) => {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      try {
        await client.query(text);
      } finally {
        await client.end();
      }
    };
    const startPanel = async (name: string) => {
      const database = new URL(postgres.url);
      database.pathname = `/${name}`;
      const port = String(await findFreePort());
      const server = startServer(join(folder, name), { ...env, QA_TOOLS: 'on', DATABASE_URL: database.href, PORT: port });
      const stopPanel = async () => {
        server.child.kill('SIGTERM');
        await server.ended;
      };
      stopFunctions.push(stopPanel);
      await server.ready;
      return { url: `http://localhost:${port}`, end: stopPanel };
    };

    await sql(`create database ${templateDatabase}`);
    await mkdir(join(folder, templateDatabase), { recursive: true });
    if (at) {
      const state = { aheadMs: at.getTime() - Date.now(), unlimited: false };
      await writeFile(join(folder, templateDatabase, 'environment.json'), JSON.stringify(state));
    }
    await (await startPanel(templateDatabase)).end();
    const urls = [];
    for (let worker = 1; worker <= count; worker++) {
      const name = `qa_${worker}`;
      await sql(`create database ${name} template ${templateDatabase}`);
      await cp(join(folder, templateDatabase), join(folder, name), { recursive: true });
      urls.push((await startPanel(name)).url);
    }
    return { urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
