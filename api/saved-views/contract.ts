import * as z from 'zod/mini';
import { id, route, textField, version } from '../base.ts';
import { allScreens } from '../menu.ts';

export const maxViews = { place: 20, person: 200 };

const places = new Set<string>(allScreens().map(({ path }) => path));

const place = () =>
  z.string().check(
    z.maxLength(100),
    z.refine((value) => places.has(value), { error: 'invalid' }),
  );
const query = () => z.string().check(z.maxLength(2000), z.regex(/^[^\s#?\0]*$/u, { error: 'invalid' }));

export const viewFields = z.strictObject({ name: textField(60), place: z.optional(place()), query: z.optional(query()) });
export const viewPick = z.strictObject({ view: id() });
export const viewName = z.strictObject({ view: id(), name: textField(60) });

const viewRow = z.object({ id: id(), version: version(), place: z.string(), name: z.string(), query: z.string() });
export type ViewRow = z.infer<typeof viewRow>;

export const views = {
  list: route.meta({ signedIn: true }).route({ method: 'GET', path: '/views' }).output(z.array(viewRow)),
  save: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/views' })
    .input(z.strictObject({ name: textField(60), place: place(), query: query() }))
    .output(viewRow),
  rename: route
    .meta({ signedIn: true })
    .route({ method: 'PUT', path: '/views' })
    .input(z.strictObject({ id: id(), version: version(), name: textField(60) }))
    .output(viewRow),
  remove: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/views/delete' })
    .input(z.strictObject({ id: id(), version: version() }))
    .output(z.object({ id: id() })),
};
