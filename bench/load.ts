import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

export interface Load {
  origin: string;
  headers: Record<string, string>;
  /** Requests per second, evenly spaced. 'full': 16 connections that send the next request immediately. */
  rate: number | 'full';
  seconds: number;
  path: string;
  /** POST by default. */
  method?: 'GET' | 'POST';
  /** Sent in rotation. `#` becomes a number that no other request has. */
  bodies: string[];
}

export interface LoadResult {
  /** Milliseconds from when a request was due to its last byte. */
  latencies: number[];
  failed: number;
  perSecond: number;
}

async function run({ origin, headers, rate, seconds, path, method = 'POST', bodies }: Load): Promise<LoadResult> {
  const pool = new Pool(origin, { connections: 64, pipelining: 1 });
  const latencies: number[] = [];
  let failed = 0;
  let number = 0;
  const stamp = Date.now().toString(36);

  const send = async (number: number, due: number) => {
    const key = `${stamp}-${number}`;
    const body = (bodies[number % bodies.length] ?? '').replaceAll('#', key);
    const post = { headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key }, body };
    try {
      const response = await pool.request({ path, method, ...(method === 'GET' ? { headers } : post) });
      await response.body.arrayBuffer();
      if (response.statusCode !== 200) failed++;
    } catch {
      failed++;
    }
    // Counted from when it was due, so that a stall also counts for the requests behind it.
    latencies.push(performance.now() - due);
  };

  const started = performance.now();
  const sendNonstop = async () => {
    for (let due = started; due < started + seconds * 1000; due = performance.now()) await send(number++, due);
  };
  const running: Promise<void>[] = rate === 'full' ? Array.from({ length: 16 }, sendNonstop) : [];
  while (rate !== 'full' && number < rate * seconds) {
    const due = started + (number * 1000) / rate;
    if (due > performance.now()) await sleep(1);
    else running.push(send(number++, due));
  }
  await Promise.all(running);
  const perSecond = latencies.length / ((performance.now() - started) / 1000);
  await pool.close();
  return { latencies, failed, perSecond };
}

process.once('message', (load: Load) => {
  void run(load).then((result) => process.send?.(result, () => process.disconnect()));
});
