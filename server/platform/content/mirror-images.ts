import { pictureLimit } from '../../../api/pictures/contract.ts';
import type { RequestContext } from '../services/context.ts';
import { describeError } from '../core/log.ts';
import { PictureRefused } from './picture-codec.ts';
import { pictureContext, storePicture, type StoredPicture } from './pictures.ts';
import { FetchRefused } from './safe-fetch.ts';

const maxConcurrency = 4;
const budgetMs = 10_000;

/** So that browsers contact no third party. Missing from the result: failures, and those after ten seconds in total. */
export async function rehostImages(context: RequestContext, urls: readonly string[]): Promise<Map<string, StoredPicture>> {
  const { safeFetch, now } = context.services;
  const stored = new Map<string, StoredPicture>();
  const waiting = [...new Set(urls)];
  const until = now() + budgetMs;

  async function work() {
    for (let url = waiting.shift(); url !== undefined && now() < until; url = waiting.shift()) {
      try {
        const { bytes } = await safeFetch(url, { accepts: (type) => type.startsWith('image/'), maxBytes: pictureLimit.bytes });
        stored.set(url, await storePicture(pictureContext(context), bytes));
      } catch (error) {
        if (!(error instanceof FetchRefused) && !(error instanceof PictureRefused)) throw error;
        context.log.info({ host: new URL(url).host, err: describeError(error) }, 'could not copy a feed image');
      }
    }
  }
  await Promise.all(Array.from({ length: maxConcurrency }, work));
  return stored;
}
