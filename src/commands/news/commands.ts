import { languages } from '../../../api/news/language.ts';
import { newsNames } from '../../../api/news/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { binCommand, crudCommands, showCommands } from '../engine/crud.ts';
import {
  invocation,
  defineCommand,
  blockedBecause,
  noTarget,
  oneTarget,
  type CommandResult,
  toItemVersions,
  copyCommand,
} from '../engine/define.ts';
import {
  choiceField,
  multilineField,
  optionalField,
  optionalTimeField,
  paramSpec,
  multiPickField,
  pictureField,
  textField,
  timeField,
  urlField,
} from '../engine/fields.ts';
import { formatTime, groupDigits } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';
import { targetOf } from '../engine/resource.ts';
import { recorded } from './recorded.ts';

addNames(newsNames);

export const newsTarget = targetOf('news', ({ title }) => title);

const place = '/news';
const newsSchema = () => import('../../../api/news/contract.ts').then(({ newsFields }) => newsFields);

const fields = {
  title: textField('news.field.title'),
  description: multilineField('news.field.description'),
  image: pictureField('news.field.image'),
  time: timeField('news.field.time'),
  link: urlField('news.field.link'),
  language: optionalField(
    choiceField(
      'newsTexts.field.language',
      languages.map((value) => ({ value, label: `newsTexts.language.${value}` as const })),
    ),
  ),
  translatedTitle: optionalField(textField('newsTexts.field.translatedTitle')),
  translatedDescription: optionalField(multilineField('newsTexts.field.translatedDescription')),
  translatedLink: optionalField(urlField('newsTexts.field.translatedLink')),
  startsAt: optionalTimeField('schedule.startsAt', 'schedule.startHint'),
  endsAt: optionalTimeField('schedule.endsAt', 'schedule.endHint'),
} as const;

const kit = crudCommands('news', {
  place,
  entity: 'news',
  recorded: recorded.news,
  schema: newsSchema,
  fields,
  initial: ({ now }) => ({ time: now.toISOString() }),
  converted: ({ image }) => ({ image: image ?? '' }),
  routes: ({ news: routes }) => routes,
});
const { show, hide } = showCommands('news', place, ({ news: routes }) => routes);

export const news = [
  kit.add,
  kit.edit,
  {
    ...show,
    when: ({ targets }: { targets: readonly Target<'news'>[] }) =>
      targets.some(({ row }) => !row.shown && !row.image) ? blockedBecause('news.blocked.noImage') : show.when({ targets }),
  },
  hide,
  kit.remove,
  kit.restore,
  binCommand('news.bin', place),
  defineCommand({
    id: 'news.get',
    permission: 'news.get',
    icon: 'rss',
    place,
    target: noTarget,
    params: paramSpec(() => import('../../../api/news/contract.ts').then(({ newsPicks }) => newsPicks), {
      ids: multiPickField('news.field.feedItems', 'form.feed.empty', async ({ api, signal }) => {
        const { items, failed, skipped } = await api.news.feed(undefined, { signal });
        return [
          ...failed.map(({ feed, reason }, at) => ({
            value: `${at} ${feed}`, // A value that no server data has
            label: feed,
            blocked: `form.feed.${reason}` as const,
          })),
          ...skipped.map(({ feed, reason, count }) => ({
            value: `${feed} ${reason}`,
            label: feed,
            note: t('form.feed.skipped', { n: count, count: groupDigits(count) }),
            blocked: `form.feed.${reason}` as const,
          })),
          ...items.map(({ id, title, description, link, image, feed, time: at, known }) => ({
            value: id,
            label: title,
            note: `${feed} · ${at === null ? t('form.feed.noDate') : formatTime(at)}`,
            preview: [
              { label: 'news.field.title' as const, text: title },
              { label: 'news.field.description' as const, text: description },
              { label: 'news.field.time' as const, text: at === null ? t('form.feed.timeOfImport') : formatTime(at) },
              { label: 'news.field.link' as const, text: link, as: 'link' as const },
              {
                label: 'news.field.image' as const,
                ...(image === null ? { text: t('form.feed.noPicture') } : { text: image, as: 'link' as const }),
              },
            ],
            ...(known ? { blocked: 'news.known' as const } : {}),
          })),
        ];
      }),
    }),
    danger: 'reversible',
    keys: ['i'],
    run: ({ api, params: { ids } }) => api.news.import({ ids }),
    done: ({ done }): CommandResult => ({
      stale: ['news'],
      toast: { key: 'news.imported', values: { count: done.length } },
      ...(done.length > 0 ? { undo: invocation('news.delete', { targets: toItemVersions(done) }) } : {}),
    }),
  }),
  kit.open,
  defineCommand({
    ...copyCommand,
    id: 'news.copyImage',
    permission: place,
    place,
    target: oneTarget('news'),
    when: ({ targets: [target] }) => Boolean(target?.row.image) || blockedBecause('news.blocked.noImage'),
    run: ({ ui, targets: [target] }) => ui.copy(target?.row.image ?? ''),
  }),
];
