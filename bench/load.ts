// A load generator in a process of its own, driven by bench/server.ts: requests at a fixed rate, whatever the answers take.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** A load to hold. Sent by the parent as the one message. */
export interface Load {
  origin: string;
  headers: Record<string, string>;
  /** Requests a second, evenly spaced; 'full': 16 at once, each sent when the one before it is answered. */
  rate: number | 'full';
  seconds: number;
  path: string;
  /** POST when left out. */
  method?: 'GET' | 'POST';
  /** The answer that counts as one: 200 when left out. */
  status?: number;
  /** Sent in turn. `#` in a body becomes a number that no other request has. */
  bodies: string[];
}

export interface Held {
  /** Milliseconds from when a request was due to when its answer was whole, sorted. */
  latencies: number[];
  failed: number;
  /** Answers a second, from the first due to the last answered. */
  answered: number;
}

async function hold({ origin, headers, rate, seconds, path, method = 'POST', status = 200, bodies }: Load): Promise<Held> {
  const pool = new Pool(origin, { connections: 64, pipelining: 1 });
  const latencies: number[] = [];
  let failed = 0;
  const running: Promise<void>[] = [];
  let number = 0;
  const stamp = Date.now().toString(36);

  const send = async (number: number, due: number) => {
    try {
      const body = (bodies[number % bodies.length] ?? '').replaceAll('#', `${stamp}-${number}`);
      const sent = { 'content-type': 'application/json', 'idempotency-key': `${stamp}-${number}` };
      const answer = await pool.request(
        method === 'GET' ? { path, method, headers } : { path, method, headers: { ...headers, ...sent }, body },
      );
      await answer.body.arrayBuffer();
      if (answer.statusCode !== status) failed++;
    } catch {
      failed++;
    }
    // From when it was due, not from when it was sent: a server that stalls makes those behind wait too.
    latencies.push(performance.now() - due);
  };

  const started = performance.now();
  if (rate === 'full') {
    const sendOn = async () => {
      for (let due = started; due < started + seconds * 1000; due = performance.now()) await send(number++, due);
    };
    running.push(...Array.from({ length: 16 }, sendOn));
  } else {
    while (number < rate * seconds) {
      const due = started + (number * 1000) / rate;
      if (due > performance.now()) await sleep(1);
      else running.push(send(number++, due));
    }
  }
  await Promise.all(running);
  const took = (performance.now() - started) / 1000;
  await pool.close();
  return { latencies: latencies.sort((a, b) => a - b), failed, answered: latencies.length / took };
}

process.once('message', (load: Load) => {
  void hold(load).then((held) => process.send?.(held, () => process.disconnect()));
});
