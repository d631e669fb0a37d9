import { pictureLimit } from '../../../api/pictures/contract.ts';
import type { RequestContext } from '../services/context.ts';
import { describeError } from '../core/log.ts';
import { PictureRefusedError } from './picture-codec.ts';
import { pictureContextOf, storePicture, type StoredPicture } from './pictures.ts';
import { FetchRefusedError } from './safe-fetch.ts';

const maxConcurrency = 4;
const budgetMs = 10_000;

/** So that browsers contact no third party. Missing from the result: failures, and those after ten seconds in total. */
export async function rehostImages(context: RequestContext, urls: readonly string[]): Promise<Map<string, StoredPicture>> {
  const { safeFetch, now } = context.services;
  const storedByUrl = new Map<string, StoredPicture>();
  const pendingUrls = [...new Set(urls)];
  const deadline = now() + budgetMs;

  async function processPending() {
    for (let url = pendingUrls.shift(); url !== undefined && now() < deadline; url = pendingUrls.shift()) {
      try {
        const { bytes } = await safeFetch(url, { accepts: (type) => type.startsWith('image/'), maxBytes: pictureLimit.bytes });
        storedByUrl.set(url, await storePicture(pictureContextOf(context), bytes));
      } catch (error) {
        if (!(error instanceof FetchRefusedError) && !(error instanceof PictureRefusedError)) throw error;
        context.log.info({ host: new URL(url).host, err: describeError(error) }, 'could not copy a feed image');
      }
    }
  }
  await Promise.all(Array.from({ length: maxConcurrency }, processPending));
  return storedByUrl;
}
