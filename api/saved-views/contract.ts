import * as z from 'zod/mini';
import { idSchema, route, textSchema, versionSchema } from '../base.ts';
import { listScreens } from '../menu.ts';

export const maxViews = { place: 20, person: 200 };

const viewPaths = new Set<string>(listScreens().map(({ path }) => path));

const viewPathSchema = () =>
  z.string().check(
    z.maxLength(100),
    z.refine((value) => viewPaths.has(value), { error: 'invalid' }),
  );
const viewQuerySchema = () => z.string().check(z.maxLength(2000), z.regex(/^[^\s#?\0]*$/u, { error: 'invalid' }));

export const viewFields = z.strictObject({
  name: textSchema(60),
  place: z.optional(viewPathSchema()),
  query: z.optional(viewQuerySchema()),
});
export const viewInput = z.strictObject({ view: idSchema() });
export const renameViewInput = z.strictObject({ view: idSchema(), name: textSchema(60) });

const viewRow = z.object({ id: idSchema(), version: versionSchema(), place: z.string(), name: z.string(), query: z.string() });
export type ViewRow = z.infer<typeof viewRow>;

export const views = {
  list: route.meta({ signedIn: true }).route({ method: 'GET', path: '/views' }).output(z.array(viewRow)),
  save: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/views' })
    .input(z.strictObject({ name: textSchema(60), place: viewPathSchema(), query: viewQuerySchema() }))
    .output(viewRow),
  rename: route
    .meta({ signedIn: true })
    .route({ method: 'PUT', path: '/views' })
    .input(z.strictObject({ id: idSchema(), version: versionSchema(), name: textSchema(60) }))
    .output(viewRow),
  remove: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/views/delete' })
    .input(z.strictObject({ id: idSchema(), version: versionSchema() }))
    .output(z.object({ id: idSchema() })),
};
