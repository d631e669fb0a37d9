import { languages, pickTextInLanguage } from '../../../api/news/language.ts';
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

export const newsTarget = targetOf('news', (row) => pickTextInLanguage(row, locale()).title);

const screenPath = '/news';
const loadNewsSchema = () => import('../../../api/news/contract.ts').then(({ newsFields }) => newsFields);

const translationGroup = 'newsTranslations.translation';
const periodGroup = 'schedule.group';

const fields = {
  title: textField('news.field.title'),
  description: multilineField('news.field.description'),
  image: pictureField('news.field.image'),
  time: timeField('news.field.time'),
  link: urlField('news.field.link'),
  language: optionalField(
    choiceField(
      'newsTranslations.field.language',
      languages.map((value) => ({ value, label: `newsTranslations.language.${value}` as const })),
    ),
    translationGroup,
    'newsTranslations.hint.language',
  ),
  translatedTitle: optionalField(textField('newsTranslations.field.translatedTitle'), translationGroup),
  translatedDescription: optionalField(multilineField('newsTranslations.field.translatedDescription'), translationGroup),
  translatedLink: optionalField(
    urlField('newsTranslations.field.translatedLink'),
    translationGroup,
    'newsTranslations.hint.translatedLink',
  ),
  startsAt: optionalField(timeField('schedule.startsAt'), periodGroup, 'schedule.startHint'),
  endsAt: optionalField(timeField('schedule.endsAt'), periodGroup, 'schedule.endHint'),
} as const;

const crud = crudCommands('news', {
  place: screenPath,
  entity: 'news',
  recorded: recorded.news,
  schema: loadNewsSchema,
  fields,
  initial: ({ now }) => ({ time: now.toISOString() }),
  converted: ({ image }) => ({ image: image ?? '' }),
  routes: ({ news: routes }) => routes,
});
const { show, hide } = showCommands('news', screenPath, ({ news: routes }) => routes);

export const news = [
  crud.add,
  crud.edit,
  {
    ...show,
    when: ({ targets }: { targets: readonly Target<'news'>[] }) =>
      targets.some(({ row }) => !row.shown && !row.image) ? blockedBecause('news.blocked.noImage') : show.when({ targets }),
  },
  hide,
  crud.remove,
  crud.restore,
  binCommand('news.bin', screenPath),
  defineCommand({
    id: 'news.get',
    permission: 'news.get',
    icon: 'rss',
    place: screenPath,
    target: noTarget,
    params: paramSpec(() => import('../../../api/news/contract.ts').then(({ newsIdsInput }) => newsIdsInput), {
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
  previewCommand('news.preview', 'news', screenPath),
  crud.open,
  defineCommand({
    ...copyCommand,
    id: 'news.copyImage',
    permission: screenPath,
    place: screenPath,
    target: oneTarget('news'),
    when: ({ targets: [target] }) => Boolean(target?.row.image) || blockedBecause('news.blocked.noImage'),
    run: ({ ui, targets: [target] }) => ui.copy(target?.row.image ?? ''),
  }),
];
