import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

export interface LoadOptions {
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

async function generateLoad({ origin, headers, rate, seconds, path, method = 'POST', bodies }: LoadOptions): Promise<LoadResult> {
  const pool = new Pool(origin, { connections: 64, pipelining: 1 });
  const latencies: number[] = [];
  let failedCount = 0;
  let requestNumber = 0;
  const runId = Date.now().toString(36);

  const sendRequest = async (requestNumber: number, dueTime: number) => {
    const key = `${runId}-${requestNumber}`;
    const body = (bodies[requestNumber % bodies.length] ?? '').replaceAll('#', key);
    const requestOptions = { headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key }, body };
    try {
      const response = await pool.request({ path, method, ...(method === 'GET' ? { headers } : requestOptions) });
      await response.body.arrayBuffer();
      if (response.statusCode !== 200) failedCount++;
    } catch {
      failedCount++;
    }
    // Counted from when it was due, so that a stall also counts for the requests behind it.
    latencies.push(performance.now() - dueTime);
  };

  const startTime = performance.now();
  const sendNonstop = async () => {
    for (let dueTime = startTime; dueTime < startTime + seconds * 1000; dueTime = performance.now())
      await sendRequest(requestNumber++, dueTime);
  };
  const pendingRequests: Promise<void>[] = rate === 'full' ? Array.from({ length: 16 }, sendNonstop) : [];
  while (rate !== 'full' && requestNumber < rate * seconds) {
    const dueTime = startTime + (requestNumber * 1000) / rate;
    if (dueTime > performance.now()) await sleep(1);
    else pendingRequests.push(sendRequest(requestNumber++, dueTime));
  }
  await Promise.all(pendingRequests);
  const requestsPerSecond = latencies.length / ((performance.now() - startTime) / 1000);
  await pool.close();
  return { latencies, failed: failedCount, perSecond: requestsPerSecond };
}

process.once('message', (options: LoadOptions) => {
  void generateLoad(options).then((result) => process.send?.(result, () => process.disconnect()));
});
