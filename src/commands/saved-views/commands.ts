import { viewNames } from '../../../api/saved-views/names.ts';
import { flattenMenu } from '../../../api/menu.ts';
import type { ViewRow } from '../../../api/saved-views/contract.ts';
import { ApiError, type Api } from '../../lib/net/client.ts';
import { pickLocaleName } from '../../lib/i18n/i18n.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { queryClient } from '../../lib/net/query.ts';
import { notApplicable, invocation, defineCommand, noTarget, type CommandResult } from '../engine/define.ts';
import { paramSpec, pickField, textField } from '../engine/fields.ts';

addNames(viewNames);

const loadSchemas = () => import('../../../api/saved-views/contract.ts');
const staleQueries = ['views'];

/** Parameters of the address that a view does not store. */
const transientParams = ['open', 'whole', 'preview', 'triage', 'imports'];

export function currentView(address: string): { place: string; query: string } {
  const { pathname, searchParams } = new URL(address, 'http://panel');
  for (const name of transientParams) searchParams.delete(name);
  return { place: pathname, query: searchParams.toString() };
}

export const viewAddress = ({ place, query }: Pick<ViewRow, 'place' | 'query'>): string => (query ? `${place}?${query}` : place);

/** Ignores the parameters that a view does not store. */
export function isViewOpen(view: Pick<ViewRow, 'place' | 'query'>, address: string): boolean {
  const [savedLocation, currentLocation] = [currentView(viewAddress(view)), currentView(address)];
  return savedLocation.place === currentLocation.place && savedLocation.query === currentLocation.query;
}

const screenName = (screenPath: string): string => {
  const node = flattenMenu().find(({ path }) => path === screenPath);
  return node ? pickLocaleName(node) : screenPath;
};

const view = pickField('views.field.view', async ({ api, signal }) =>
  (await api.views.list(undefined, { signal })).map(({ id, name, place }) => ({
    value: id,
    label: name,
    note: screenName(place),
  })),
);

async function readView(api: Api, id: string): Promise<ViewRow> {
  const foundView = (await api.views.list()).find((row) => row.id === id);
  if (!foundView) throw new ApiError('NOT_FOUND');
  return foundView;
}

const hasViews = () => queryClient.getQueryData<readonly ViewRow[]>(['views'])?.length !== 0 || notApplicable('views.none');

const viewCommand = {
  permission: 'anyone',
  place: 'list',
  target: noTarget,
  params: paramSpec(() => loadSchemas().then(({ viewInput }) => viewInput), { view }),
} as const;

/** A shared link shows only what the viewer's permissions allow. */
export const views = [
  defineCommand({
    ...viewCommand,
    id: 'views.open',
    when: hasViews,
    icon: 'bookmark',
    place: 'global', // works anywhere, because a view leads to its own list
    danger: 'none',
    excludeFromHistory: true,
    keys: ['shift+o'],
    run: async ({ api, ui, params: { view: id } }) => ui.navigate(viewAddress(await readView(api, id))),
  }),
  defineCommand({
    ...viewCommand,
    id: 'views.save',
    icon: 'bookmark-plus',
    params: paramSpec(() => loadSchemas().then(({ viewFields }) => viewFields), { name: textField('views.field.name') }),
    danger: 'reversible',
    keys: ['shift+q'],
    run: ({ api, ui, params: { name, place, query } }) => {
      const currentLocation = currentView(ui.here());
      return api.views.save({ name, place: place ?? currentLocation.place, query: query ?? currentLocation.query });
    },
    done: ({ id }): CommandResult => ({ stale: staleQueries, undo: invocation('views.delete', { params: { view: id } }) }),
  }),
  defineCommand({
    ...viewCommand,
    id: 'views.rename',
    when: hasViews,
    icon: 'pencil',
    params: paramSpec(() => loadSchemas().then(({ renameViewInput }) => renameViewInput), {
      view,
      name: textField('views.field.name'),
    }),
    danger: 'reversible',
    run: async ({ api, params: { view: id, name } }) => {
      const previousView = await readView(api, id);
      await api.views.rename({ id, version: previousView.version, name });
      return previousView;
    },
    done: ({ id, name }): CommandResult => ({
      stale: staleQueries,
      undo: invocation('views.rename', { params: { view: id, name } }),
    }),
  }),
  defineCommand({
    ...viewCommand,
    id: 'views.delete',
    when: hasViews,
    icon: 'trash-2',
    danger: 'reversible',
    run: async ({ api, params: { view: id } }) => {
      const previousView = await readView(api, id);
      await api.views.remove({ id, version: previousView.version });
      return previousView;
    },
    done: ({ name, place, query }): CommandResult => ({
      stale: staleQueries,
      undo: invocation('views.save', { params: { name, place, query } }),
    }),
  }),
  defineCommand({
    ...viewCommand,
    id: 'views.copyLink',
    when: hasViews,
    icon: 'link',
    danger: 'none',
    excludeFromHistory: true,
    run: async ({ api, ui, params: { view: id } }) => ui.copy(ui.origin() + viewAddress(await readView(api, id))),
    done: (): CommandResult => ({ toast: { key: 'common.copied' } }),
  }),
];
