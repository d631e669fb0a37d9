import { viewNames } from '../../../api/saved-views/names.ts';
import { flatMenu } from '../../../api/menu.ts';
import type { ViewRow } from '../../../api/saved-views/contract.ts';
import { ApiError, type Api } from '../../lib/net/client.ts';
import { inLocale } from '../../lib/i18n/i18n.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { queryClient } from '../../lib/net/query.ts';
import { notApplicable, invocation, defineCommand, noTarget, type CommandResult } from '../engine/define.ts';
import { paramSpec, pickField, textField } from '../engine/fields.ts';

addNames(viewNames);

const schemas = () => import('../../../api/saved-views/contract.ts');
const stale = ['views'];

/** Parameters of the address that a view does not store. */
const passingParams = ['open', 'whole', 'preview', 'triage', 'imports'];

export function currentView(address: string): { place: string; query: string } {
  const { pathname, searchParams } = new URL(address, 'http://panel');
  for (const name of passingParams) searchParams.delete(name);
  return { place: pathname, query: searchParams.toString() };
}

export const viewAddress = ({ place, query }: Pick<ViewRow, 'place' | 'query'>): string => (query ? `${place}?${query}` : place);

/** Ignores the parameters that a view does not store. */
export function isViewOpen(view: Pick<ViewRow, 'place' | 'query'>, address: string): boolean {
  const [kept, here] = [currentView(viewAddress(view)), currentView(address)];
  return kept.place === here.place && kept.query === here.query;
}

const screenName = (place: string): string => {
  const node = flatMenu().find(({ path }) => path === place);
  return node ? inLocale(node) : place;
};

const view = pickField('views.field.view', async ({ api, signal }) =>
  (await api.views.list(undefined, { signal })).map(({ id, name, place }) => ({
    value: id,
    label: name,
    note: screenName(place),
  })),
);

async function find(api: Api, id: string): Promise<ViewRow> {
  const found = (await api.views.list()).find((row) => row.id === id);
  if (!found) throw new ApiError('NOT_FOUND');
  return found;
}

const hasViews = () => queryClient.getQueryData<readonly ViewRow[]>(['views'])?.length !== 0 || notApplicable('views.none');

const onView = {
  permission: 'anyone',
  place: 'list',
  target: noTarget,
  params: paramSpec(() => schemas().then(({ viewPick }) => viewPick), { view }),
} as const;

/** A shared link shows only what the viewer's permissions allow. */
export const views = [
  defineCommand({
    ...onView,
    id: 'views.open',
    when: hasViews,
    icon: 'bookmark',
    place: 'global', // works anywhere, because a view leads to its own list
    danger: 'none',
    excludeFromHistory: true,
    keys: ['shift+o'],
    run: async ({ api, ui, params: { view: id } }) => ui.navigate(viewAddress(await find(api, id))),
  }),
  defineCommand({
    ...onView,
    id: 'views.save',
    icon: 'bookmark-plus',
    params: paramSpec(() => schemas().then(({ viewFields }) => viewFields), { name: textField('views.field.name') }),
    danger: 'reversible',
    keys: ['shift+q'],
    run: ({ api, ui, params: { name, place, query } }) => {
      const here = currentView(ui.here());
      return api.views.save({ name, place: place ?? here.place, query: query ?? here.query });
    },
    done: ({ id }): CommandResult => ({ stale, undo: invocation('views.delete', { params: { view: id } }) }),
  }),
  defineCommand({
    ...onView,
    id: 'views.rename',
    when: hasViews,
    icon: 'pencil',
    params: paramSpec(() => schemas().then(({ viewName }) => viewName), { view, name: textField('views.field.name') }),
    danger: 'reversible',
    run: async ({ api, params: { view: id, name } }) => {
      const before = await find(api, id);
      await api.views.rename({ id, version: before.version, name });
      return before;
    },
    done: ({ id, name }): CommandResult => ({ stale, undo: invocation('views.rename', { params: { view: id, name } }) }),
  }),
  defineCommand({
    ...onView,
    id: 'views.delete',
    when: hasViews,
    icon: 'trash-2',
    danger: 'reversible',
    run: async ({ api, params: { view: id } }) => {
      const before = await find(api, id);
      await api.views.remove({ id, version: before.version });
      return before;
    },
    done: ({ name, place, query }): CommandResult => ({
      stale,
      undo: invocation('views.save', { params: { name, place, query } }),
    }),
  }),
  defineCommand({
    ...onView,
    id: 'views.copyLink',
    when: hasViews,
    icon: 'link',
    danger: 'none',
    excludeFromHistory: true,
    run: async ({ api, ui, params: { view: id } }) => ui.copy(ui.origin() + viewAddress(await find(api, id))),
    done: (): CommandResult => ({ toast: { key: 'common.copied' } }),
  }),
];
