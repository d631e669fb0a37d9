import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../../scripts/suite/debian.mjs';
import { SetupError } from '../../scripts/setup.mjs';
import type { S3Config } from '../platform/core/config.ts';

const pythonPath = '/usr/bin/python3'; // the distribution's Python, which has the packages
const swiftPath = '/usr/lib/python3/dist-packages/swift/common/middleware/s3api';

export interface ObjectStore {
  readonly s3: S3Config;
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** OpenStack Swift with its S3 API, which checks signatures and hashes. Deleted afterwards. */
export async function startObjectStore(): Promise<ObjectStore> {
  if (!(await ensureInstalled(() => existsSync(swiftPath), 'an object storage', ['python3-swift'])))
    throw new SetupError('The tests need python3-swift. Install it and run the tests again.');
  const folder = mkdtempSync(join(tmpdir(), 'swift-'));
  const [accessKeyId, secretAccessKey] = ['panel:pictures', randomBytes(20).toString('hex')];
  const script = fileURLToPath(new URL('object-store.py', import.meta.url));
  const storeProcess = spawn(pythonPath, ['-B', script, folder, accessKeyId, secretAccessKey], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let outputText = '';
  storeProcess.stderr.setEncoding('utf8').on('data', (chunk: string) => (outputText = (outputText + chunk).slice(-2_000)));
  const processExit = new Promise<void>((resolve) => storeProcess.once('exit', () => resolve()));
  const stopStore = async () => {
    storeProcess.kill('SIGKILL');
    await processExit;
    rmSync(folder, { recursive: true, force: true });
  };
  const port = await new Promise<string>((resolve, reject) => {
    storeProcess.stdout.setEncoding('utf8').once('data', (line: string) => resolve(line.trim()));
    void processExit.then(() => reject(new Error(`the object storage ended: ${outputText}`)));
  });
  const s3 = { endpoint: `http://127.0.0.1:${port}`, bucket: 'panel', region: 'us-east-1', accessKeyId, secretAccessKey };
  const { AwsClient } = await import('aws4fetch');
  const bucketResponse = await new AwsClient({ accessKeyId, secretAccessKey, region: s3.region, service: 's3' }).fetch(
    `${s3.endpoint}/${s3.bucket}`,
    { method: 'PUT' },
  );
  if (bucketResponse.status !== 200) {
    await stopStore();
    throw new Error(`the object storage made no bucket: ${bucketResponse.status} ${outputText}`);
  }
  const env = {
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: s3.bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  return { s3, env, stop: stopStore };
}
