import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { root } from '../../scripts/setup.mjs';
import { addNews, signInAt, readWrittenTexts, type Session } from '../testing/callers.ts';
import { onCleanup, createTemporaryFolder } from '../testing/cleanup.ts';
import { startServer } from '../testing/process.ts';
import { savedReleases, restoreRelease } from '../testing/releases.ts';

/** Builds the server of a release and returns its entry file. */
function buildRelease(commit: string): string {
  const folder = join(createTemporaryFolder(), 'source');
  execFileSync('git', ['worktree', 'add', '--detach', folder, commit], { cwd: root, stdio: 'pipe' });
  onCleanup(async () => {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root });
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  execFileSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: folder, stdio: 'pipe' });
  return join(folder, '.cache/server/main.js');
}

/** Returns the acknowledged titles. */
function startWriting(origin: string, session: Session, name: string) {
  const acknowledgedTitles: string[] = [];
  const refusedStatuses: number[] = [];
  let isStopped = false;
  const pendingWrites = (async () => {
    for (let titleNumber = 0; !isStopped; titleNumber++) {
      const title = `${name} ${titleNumber}`;
      const { status } = await addNews(origin, session, title);
      if (status === 200) acknowledgedTitles.push(title);
      else refusedStatuses.push(status);
      await sleep(20);
    }
  })();
  return {
    acknowledged: acknowledgedTitles,
    refused: refusedStatuses,
    stop: async () => {
      isStopped = true;
      await pendingWrites;
    },
  };
}

test.each(savedReleases.map((release) => [release.version, release] as const))(
  'servers of %s and of this version run together, and the older one can restart',
  { timeout: 600_000 },
  async (_, release) => {
    const url = await restoreRelease(release);
    const oldBundle = buildRelease(release.commit);
    const env = { DATABASE_URL: url, DEVNET: 'off', DEMO_NEWS: 'off', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' };
    const dataDir = createTemporaryFolder();
    const oldServer = startServer(dataDir, env, oldBundle);
    const oldOrigin = await oldServer.ready;
    const session = await signInAt(oldOrigin, 'editor');
    const writesThroughOld = startWriting(oldOrigin, session, 'through the old');
    await sleep(500);

    const currentServer = startServer(dataDir, env);
    const origin = await currentServer.ready; // it has migrated
    const writesThroughNew = startWriting(origin, session, 'through the new'); // sessions of the old version stay valid
    await sleep(3_000);
    expect((await fetch(`${oldOrigin}/readyz`)).status).toBe(200);
    await Promise.all([writesThroughOld.stop(), writesThroughNew.stop()]);
    expect([writesThroughOld.refused, writesThroughNew.refused]).toEqual([[], []]);
    expect(writesThroughOld.acknowledged.length).toBeGreaterThan(5);
    expect(writesThroughNew.acknowledged.length).toBeGreaterThan(5);
    for (const server of [currentServer, oldServer]) {
      server.child.kill('SIGTERM');
      await server.ended;
    }

    const downgradedServer = startServer(dataDir, env, oldBundle);
    const backOrigin = await downgradedServer.ready;
    expect((await addNews(backOrigin, session, 'through the old again')).status).toBe(200);
    expect(downgradedServer.output()).toContain('a newer version has upgraded the database');
    downgradedServer.child.kill('SIGTERM');
    await downgradedServer.ended;
    expect(await readWrittenTexts(url, 'news.title', 'through the ')).toEqual(
      [...writesThroughOld.acknowledged, ...writesThroughNew.acknowledged, 'through the old again'].toSorted(),
    );
  },
);
