import { createHash } from 'node:crypto';
import type { AwsClient } from 'aws4fetch';
import type { S3Config } from '../core/config.ts';
import { appError } from '../core/errors.ts';
import { pictureName, type PictureStore } from './pictures-store.ts';

const prefix = 'pictures/';
const timeoutMs = 10_000;
const noBytes = createHash('sha256').digest('hex');

/** `code` is the storage's own. */
export class ObjectStorageError extends Error {
  override name = 'ObjectStorageError';
  readonly status: number;
  constructor(status: number, code: string) {
    super(`the object storage answers ${status} ${code}`);
    this.status = status;
  }
}

/**
 * Objects `pictures/<id>.webp`, whose hash the storage checks. `{bucket}` in the endpoint means a host per bucket. Throws
 * UNAVAILABLE.
 */
export function s3PictureStore({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Config): PictureStore {
  const base = endpoint.includes('{bucket}') ? endpoint.replace('{bucket}', bucket) : `${endpoint}/${bucket}`;
  let client: Promise<AwsClient> | null = null;
  const load = () =>
    (client ??= import('aws4fetch').then(
      (loaded) => new loaded.AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 }),
    ));

  async function call(method: string, path: string, { body, also = [] }: { body?: Uint8Array; also?: number[] } = {}) {
    try {
      const hash = body ? createHash('sha256').update(body).digest('hex') : noBytes;
      const aws = await load();
      const response = await aws.fetch(`${base}${path}`, {
        method,
        headers: { 'x-amz-content-sha256': hash, ...(body && { 'content-type': 'image/webp' }) },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: Buffer.from(body) }),
      });
      if (response.ok || also.includes(response.status)) return response;
      throw new ObjectStorageError(response.status, codeIn(await response.text()));
    } catch (error) {
      throw appError('UNAVAILABLE', undefined, error);
    }
  }

  const list = async (token: string | null): Promise<string> => {
    const query = new URLSearchParams({ ...(token && { 'continuation-token': token }), 'list-type': '2', prefix });
    return (await call('GET', `/?${query}`)).text();
  };

  return {
    async check() {
      await list(null);
    },
    async put(id, bytes) {
      await call('PUT', `/${prefix}${pictureName(id)}`, { body: bytes });
    },
    async get(id) {
      const response = await call('GET', `/${prefix}${pictureName(id)}`, { also: [404] });
      if (response.status !== 404) return new Uint8Array(await response.arrayBuffer());
      const code = codeIn(await response.text());
      if (code !== 'NoSuchKey') throw appError('UNAVAILABLE', undefined, new ObjectStorageError(404, code));
      return null;
    },
    async remove(id) {
      await call('DELETE', `/${prefix}${pictureName(id)}`, { also: [404] });
    },
    async writtenBefore(at) {
      const found: string[] = [];
      for (let token: string | null = null, more = true; more; more = token !== null) {
        const page = await list(token);
        for (const [entry] of page.matchAll(/<Contents>.*?<\/Contents>/gs)) {
          const id = /^pictures\/([0-9a-f-]{36})\.webp$/.exec(textIn(entry, 'Key'))?.[1];
          if (id !== undefined && Date.parse(textIn(entry, 'LastModified')) < at) found.push(id);
        }
        token = textIn(page, 'IsTruncated') === 'true' ? textIn(page, 'NextContinuationToken') || null : null;
      }
      return found;
    },
  };
}

/** Names and codes have no entities. '' if absent. */
function textIn(xml: string, tag: string): string {
  const [, after] = xml.split(`<${tag}>`, 2);
  return after?.split('<', 1)[0] ?? '';
}
const codeIn = (xml: string) => textIn(xml, 'Code').slice(0, 60);
