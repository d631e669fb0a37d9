import { fork } from 'node:child_process';
import type { Load, LoadResult } from './load.ts';
import { percentile, report } from './report.ts';

interface Request extends Pick<Load, 'path' | 'method' | 'bodies'> {
  what: string;
  /** Highest allowed ratio of the panel's time to the peer's. Null: measured, not promised. */
  limit: number | null;
}

/** In turn on the same database, each as fast as possible. */
export async function measurePair(
  panel: Pick<Load, 'origin' | 'headers'>,
  databaseUrl: string,
  requests: readonly Request[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<void> {
  const child = fork(new URL('bare.ts', import.meta.url), [databaseUrl], { execArgv: ['--import', 'tsx'] });
  try {
    const bare = { ...(await messageOf<{ origin: string }>(child)), headers: {} };
    for (const { what, limit, ...request } of requests) {
      const run = async (side: typeof panel, time: number) => {
        const { perSecond, failed } = await generate({ ...request, ...side, rate: 'full', seconds: time });
        if (failed > 0) throw new Error(`${failed} requests failed: ${what}`);
        return perSecond;
      };
      const found: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] };
      for (const side of [panel, bare]) await run(side, 2);
      for (let round = 0; round < rounds; round++) {
        found.ours.push(await run(panel, seconds));
        found.peer.push(await run(bare, seconds));
      }
      const [ours, peer] = [percentile(found.ours, 50), percentile(found.peer, 50)];
      report(
        `${what}, as fast as possible, beside Hono and pg`,
        `${ours.toFixed(0)}/s of ${peer.toFixed(0)}/s: ${(peer / ours).toFixed(2)} ×`,
        limit === null ? '' : `≤ ${limit} ×`,
        limit === null ? null : peer / ours <= limit,
      );
    }
  } finally {
    if (child.connected) child.disconnect();
  }
}

export function generate(load: Load): Promise<LoadResult> {
  const child = fork(new URL('load.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  child.send(load);
  return messageOf<LoadResult>(child);
}

function messageOf<Message>(child: ReturnType<typeof fork>): Promise<Message> {
  return new Promise<Message>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Message));
    child.once('exit', (code) => reject(new Error(`A process of the benchmark exited with ${code}.`)));
  });
}
