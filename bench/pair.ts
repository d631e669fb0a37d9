import { fork } from 'node:child_process';
import type { Held, Load } from './load.ts';

/** A server under load: where it listens and which processes work for it. */
interface Side {
  origin: string;
  headers: Record<string, string>;
  pids: () => readonly (number | undefined)[];
}

export interface Pair {
  what: string;
  /** Ours to the bare one's; medians of the rounds. */
  answered: number;
  cpu: number;
  /** Answers a second, and milliseconds of CPU of server and database together for each. */
  ours: { answered: number; cpu: number };
  bare: { answered: number; cpu: number };
}

interface Asked {
  what: string;
  path: string;
  method?: 'GET' | 'POST';
  bodies: string[];
}

interface Measured {
  seconds: number;
  rounds: number;
  asked: readonly Asked[];
  generate: (load: Load) => Promise<Held>;
  cpuMs: (pids: readonly (number | undefined)[]) => number;
}

/** Ours beside the bare one on the same database, in turn, each as fast as it can: what the panel's work costs over the least there is. */
export async function measurePairs(
  ours: Side,
  bare: Side,
  { seconds, rounds, asked, generate, cpuMs }: Measured,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const { what, ...load } of asked) {
    const held = async ({ origin, headers, pids }: Side, time: number) => {
      const before = cpuMs(pids());
      const { answered, failed, latencies } = await generate({ ...load, origin, headers, rate: 'full', seconds: time });
      if (failed > 0) throw new Error(`${failed} of ${latencies.length} requests failed: ${what}`);
      return { answered, cpu: (cpuMs(pids()) - before) / latencies.length };
    };
    await held(ours, 2); // warm
    await held(bare, 2);
    const found: Record<'ours' | 'bare', { answered: number; cpu: number }[]> = { ours: [], bare: [] };
    for (let round = 0; round < rounds; round++) {
      found.ours.push(await held(ours, seconds));
      found.bare.push(await held(bare, seconds));
    }
    const [own, least] = [medianOf(found.ours), medianOf(found.bare)];
    pairs.push({ what, ours: own, bare: least, answered: own.answered / least.answered, cpu: own.cpu / least.cpu });
  }
  return pairs;
}

function medianOf(all: readonly { answered: number; cpu: number }[]) {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  return { answered: middle(all.map(({ answered }) => answered)), cpu: middle(all.map(({ cpu }) => cpu)) };
}

/** Starts the bare server on a database. */
export async function startBare(databaseUrl: string): Promise<{ origin: string; pid: number | undefined; stop: () => void }> {
  const child = fork(new URL('bare.ts', import.meta.url), [databaseUrl], { execArgv: ['--import', 'tsx'] });
  const { origin } = await new Promise<{ origin: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { origin: string }));
    child.once('exit', (code) => reject(new Error(`the bare server ended (${code})`)));
  });
  return { origin, pid: child.pid, stop: () => child.disconnect() };
}
