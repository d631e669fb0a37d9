import { join } from 'node:path';
import type { Config } from '../core/config.ts';
import type { Services } from './context.ts';
import { ObjectStorageError, createS3PictureStore } from '../content/pictures-s3.ts';
import { createDiskPictureStore } from '../content/pictures-store.ts';
import { createSafeFetch } from '../content/safe-fetch.ts';
import { describeError } from '../core/log.ts';
import { StartError } from '../core/start-error.ts';

export const pictureFolderPath = ({ dataDir }: Config) => join(dataDir, 'pictures');

export function openExternalServices(config: Config): Pick<Services, 'pictures' | 'safeFetch'> {
  return {
    pictures: config.s3 ? createS3PictureStore(config.s3) : createDiskPictureStore(pictureFolderPath(config)),
    // Only development's own feed may be fetched from loopback.
    safeFetch: createSafeFetch(
      config.demo ? { httpsOnly: false, ownOrigin: config.publicUrl } : { httpsOnly: config.production },
    ),
  };
}

/** Throws StartError if the storage refuses access. */
export async function requirePictureStore({ config, pictures, log }: Services): Promise<void> {
  await pictures.check().catch((error: unknown) => {
    const cause = error instanceof Error ? error.cause : null;
    if (cause instanceof ObjectStorageError && cause.status < 500)
      throw new StartError(
        `The object storage at ${config.s3?.endpoint} refused access to the bucket ${config.s3?.bucket}: ${cause.message}. Check the S3_ variables.`,
      );
    log.warn({ err: describeError(cause ?? error) }, 'could not reach the object storage for pictures');
  });
}
