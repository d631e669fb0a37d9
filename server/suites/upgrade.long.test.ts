import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { root } from '../../scripts/setup.mjs';
import { addNews, signInAt, writtenReasons, type Session } from '../testing/callers.ts';
import { atEnd, temporaryFolder } from '../testing/end.ts';
import { startServer } from '../testing/process.ts';
import { savedReleases, restoreRelease } from '../testing/releases.ts';

/** Builds the server of a release and returns its entry file. */
function buildRelease(commit: string): string {
  const folder = join(temporaryFolder(), 'source');
  execFileSync('git', ['worktree', 'add', '--detach', folder, commit], { cwd: root, stdio: 'pipe' });
  atEnd(async () => {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root });
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  execFileSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: folder, stdio: 'pipe' });
  return join(folder, '.cache/server/main.js');
}

/** Returns the acknowledged titles. */
function keepWriting(origin: string, session: Session, name: string) {
  const acknowledged: string[] = [];
  const refused: number[] = [];
  let isStopped = false;
  const running = (async () => {
    for (let number = 0; !isStopped; number++) {
      const title = `${name} ${number}`;
      const { status } = await addNews(origin, session, title);
      if (status === 200) acknowledged.push(title);
      else refused.push(status);
      await sleep(20);
    }
  })();
  return {
    acknowledged,
    refused,
    stop: async () => {
      isStopped = true;
      await running;
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
    const dataDir = temporaryFolder();
    const old = startServer(dataDir, env, oldBundle);
    const oldOrigin = await old.ready;
    const session = await signInAt(oldOrigin, 'editor');
    const throughOld = keepWriting(oldOrigin, session, 'through the old');
    await sleep(500);

    const current = startServer(dataDir, env);
    const origin = await current.ready; // it has migrated
    const throughNew = keepWriting(origin, session, 'through the new'); // sessions of the old version stay valid
    await sleep(3_000);
    expect((await fetch(`${oldOrigin}/readyz`)).status).toBe(200);
    await Promise.all([throughOld.stop(), throughNew.stop()]);
    expect([throughOld.refused, throughNew.refused]).toEqual([[], []]);
    expect(throughOld.acknowledged.length).toBeGreaterThan(5);
    expect(throughNew.acknowledged.length).toBeGreaterThan(5);
    for (const server of [current, old]) {
      server.child.kill('SIGTERM');
      await server.ended;
    }

    const back = startServer(dataDir, env, oldBundle);
    const backOrigin = await back.ready;
    expect((await addNews(backOrigin, session, 'through the old again')).status).toBe(200);
    expect(back.output()).toContain('a newer version has upgraded the database');
    back.child.kill('SIGTERM');
    await back.ended;
    expect(await writtenReasons(url, 'news.title', 'through the ')).toEqual(
      [...throughOld.acknowledged, ...throughNew.acknowledged, 'through the old again'].toSorted(),
    );
  },
);
