import * as z from 'zod/mini';
import { idSchema, route } from '../base.ts';

export const pictureLimit = { bytes: 5 * 1024 * 1024, pixels: 24_000_000 };

export const pictures = {
  /** Re-encoded to WebP. `url` is public. */
  add: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/pictures' })
    .input(z.strictObject({ file: z.file() }))
    .output(z.object({ id: idSchema(), url: z.string(), width: z.int(), height: z.int() })),
};
