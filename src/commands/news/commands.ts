import { languages, textIn } from '../../../api/news/language.ts';
import { newsNames } from '../../../api/news/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { binCommand, crudCommands, previewCommand, showCommands } from '../engine/crud.ts';
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
  paramSpec,
  multiPickField,
  pictureField,
  textField,
  timeField,
  urlField,
} from '../engine/fields.ts';
import { locale } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';
import { targetOf } from '../engine/resource.ts';
import { recorded } from './recorded.ts';

addNames(newsNames);

export const newsTarget = targetOf('news', (row) => textIn(row, locale()).title);

const place = '/news';
const newsSchema = () => import('../../../api/news/contract.ts').then(({ newsFields }) => newsFields);

const translation = 'newsTexts.translation';
const period = 'schedule.group';

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
    translation,
    'newsTexts.hint.language',
  ),
  translatedTitle: optionalField(textField('newsTexts.field.translatedTitle'), translation),
  translatedDescription: optionalField(multilineField('newsTexts.field.translatedDescription'), translation),
  translatedLink: optionalField(urlField('newsTexts.field.translatedLink'), translation, 'newsTexts.hint.translatedLink'),
  startsAt: optionalField(timeField('schedule.startsAt'), period, 'schedule.startHint'),
  endsAt: optionalField(timeField('schedule.endsAt'), period, 'schedule.endHint'),
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
      ids: multiPickField('news.field.feedItems', 'form.feed.empty', async (context) =>
        (await import('./feed-options.ts')).feedOptions(context),
      ),
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
  previewCommand('news.preview', 'news', place),
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
