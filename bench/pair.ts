import { fork } from 'node:child_process';
import type { LoadOptions, LoadResult } from './load.ts';
import { computePercentile, addMeasurement } from './report.ts';

interface PairRequest extends Pick<LoadOptions, 'path' | 'method' | 'bodies'> {
  what: string;
  /** Highest allowed ratio of the panel's time to the peer's. Null: measured, not promised. */
  limit: number | null;
}

/** In turn on the same database, each as fast as possible. */
export async function measurePair(
  panel: Pick<LoadOptions, 'origin' | 'headers'>,
  databaseUrl: string,
  requests: readonly PairRequest[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<void> {
  const serverProcess = fork(new URL('bare.ts', import.meta.url), [databaseUrl], { execArgv: ['--import', 'tsx'] });
  try {
    const bareServer = { ...(await waitForMessage<{ origin: string }>(serverProcess)), headers: {} };
    for (const { what: description, limit, ...request } of requests) {
      const measureRate = async (target: typeof panel, durationSeconds: number) => {
        const { perSecond, failed } = await generate({ ...request, ...target, rate: 'full', seconds: durationSeconds });
        if (failed > 0) throw new Error(`${failed} requests failed: ${description}`);
        return perSecond;
      };
      const rates: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] };
      for (const target of [panel, bareServer]) await measureRate(target, 2);
      for (let roundNumber = 0; roundNumber < rounds; roundNumber++) {
        rates.ours.push(await measureRate(panel, seconds));
        rates.peer.push(await measureRate(bareServer, seconds));
      }
      const [ours, peer] = [computePercentile(rates.ours, 50), computePercentile(rates.peer, 50)];
      addMeasurement(
        `${description}, as fast as possible, beside Hono and pg`,
        `${ours.toFixed(0)}/s of ${peer.toFixed(0)}/s: ${(peer / ours).toFixed(2)} ×`,
        limit === null ? '' : `≤ ${limit} ×`,
        limit === null ? null : peer / ours <= limit,
      );
    }
  } finally {
    if (serverProcess.connected) serverProcess.disconnect();
  }
}

export function generate(load: LoadOptions): Promise<LoadResult> {
  const generatorProcess = fork(new URL('load.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  generatorProcess.send(load);
  return waitForMessage<LoadResult>(generatorProcess);
}

function waitForMessage<Message>(childProcess: ReturnType<typeof fork>): Promise<Message> {
  return new Promise<Message>((resolve, reject) => {
    childProcess.once('message', (message) => resolve(message as Message));
    childProcess.once('exit', (code) => reject(new Error(`A process of the benchmark exited with ${code}.`)));
  });
}
