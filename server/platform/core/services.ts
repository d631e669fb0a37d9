import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Services } from './context.ts';
import { diskPictureStore } from '../content/pictures-store.ts';
import { createSafeFetch } from '../content/safe-fetch.ts';

/** What reaches beyond process and database, as the configuration has it: the picture store and the guarded fetch. */
export function openOutside(config: Config): Pick<Services, 'pictures' | 'safeFetch'> {
  return {
    pictures: diskPictureStore(join(config.dataDir, 'pictures')),
    // The development feed is served by ourselves, on loopback; in production nothing of ours is exempt.
    safeFetch: createSafeFetch(
      config.demo ? { httpsOnly: false, ownOrigin: config.publicUrl } : { httpsOnly: config.production },
    ),
  };
}
