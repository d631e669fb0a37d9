import * as z from 'zod/mini';
import { idSchema, route, textSchema, versionSchema } from '../base.ts';
import { allScreens } from '../menu.ts';

export const maxViews = { place: 20, person: 200 };

const places = new Set<string>(allScreens().map(({ path }) => path));

const place = () =>
  z.string().check(
    z.maxLength(100),
    z.refine((value) => places.has(value), { error: 'invalid' }),
  );
const query = () => z.string().check(z.maxLength(2000), z.regex(/^[^\s#?\0]*$/u, { error: 'invalid' }));

export const viewFields = z.strictObject({ name: textSchema(60), place: z.optional(place()), query: z.optional(query()) });
export const viewPick = z.strictObject({ view: idSchema() });
export const viewName = z.strictObject({ view: idSchema(), name: textSchema(60) });

const viewRow = z.object({ id: idSchema(), version: versionSchema(), place: z.string(), name: z.string(), query: z.string() });
export type ViewRow = z.infer<typeof viewRow>;

export const views = {
  list: route.meta({ signedIn: true }).route({ method: 'GET', path: '/views' }).output(z.array(viewRow)),
  save: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/views' })
    .input(z.strictObject({ name: textSchema(60), place: place(), query: query() }))
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
