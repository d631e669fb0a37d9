import { createHash } from 'node:crypto';
import type { AwsClient } from 'aws4fetch';
import type { S3Config } from '../core/config.ts';
import { createAppError } from '../core/errors.ts';
import { pictureFileName, type PictureStore } from './pictures-store.ts';

const keyPrefix = 'pictures/';
const timeoutMs = 10_000;
const emptyBytes = createHash('sha256').digest('hex');

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
export function createS3PictureStore({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Config): PictureStore {
  const baseUrl = endpoint.includes('{bucket}') ? endpoint.replace('{bucket}', bucket) : `${endpoint}/${bucket}`;
  let client: Promise<AwsClient> | null = null;
  const loadClient = () =>
    (client ??= import('aws4fetch').then(
      (awsModule) => new awsModule.AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 }),
    ));

  async function sendRequest(
    method: string,
    path: string,
    { body, also: acceptedStatuses = [] }: { body?: Uint8Array; also?: number[] } = {},
  ) {
    try {
      const hash = body ? createHash('sha256').update(body).digest('hex') : emptyBytes;
      const awsClient = await loadClient();
      const response = await awsClient.fetch(`${baseUrl}${path}`, {
        method,
        headers: { 'x-amz-content-sha256': hash, ...(body && { 'content-type': 'image/webp' }) },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: Buffer.from(body) }),
      });
      if (response.ok || acceptedStatuses.includes(response.status)) return response;
      throw new ObjectStorageError(response.status, errorCodeOf(await response.text()));
    } catch (error) {
      throw createAppError('UNAVAILABLE', undefined, error);
    }
  }

  const listObjects = async (token: string | null): Promise<string> => {
    const query = new URLSearchParams({ ...(token && { 'continuation-token': token }), 'list-type': '2', prefix: keyPrefix });
    return (await sendRequest('GET', `/?${query}`)).text();
  };

  return {
    async check() {
      await listObjects(null);
    },
    async put(id, bytes) {
      await sendRequest('PUT', `/${keyPrefix}${pictureFileName(id)}`, { body: bytes });
    },
    async get(id) {
      const response = await sendRequest('GET', `/${keyPrefix}${pictureFileName(id)}`, { also: [404] });
      if (response.status !== 404) return new Uint8Array(await response.arrayBuffer());
      const code = errorCodeOf(await response.text());
      if (code !== 'NoSuchKey') throw createAppError('UNAVAILABLE', undefined, new ObjectStorageError(404, code));
      return null;
    },
    async remove(id) {
      await sendRequest('DELETE', `/${keyPrefix}${pictureFileName(id)}`, { also: [404] });
    },
    async writtenBefore(limitTime) {
      const pictureIds: string[] = [];
      for (let token: string | null = null, hasMore = true; hasMore; hasMore = token !== null) {
        const page = await listObjects(token);
        for (const [entry] of page.matchAll(/<Contents>.*?<\/Contents>/gs)) {
          const id = /^pictures\/([0-9a-f-]{36})\.webp$/.exec(tagTextOf(entry, 'Key'))?.[1];
          if (id !== undefined && Date.parse(tagTextOf(entry, 'LastModified')) < limitTime) pictureIds.push(id);
        }
        token = tagTextOf(page, 'IsTruncated') === 'true' ? tagTextOf(page, 'NextContinuationToken') || null : null;
      }
      return pictureIds;
    },
  };
}

/** Names and codes have no entities. '' if absent. */
function tagTextOf(xml: string, tag: string): string {
  const [, textAfterTag] = xml.split(`<${tag}>`, 2);
  return textAfterTag?.split('<', 1)[0] ?? '';
}
const errorCodeOf = (xml: string) => tagTextOf(xml, 'Code').slice(0, 60);
