import { formatTime, groupDigits } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import type { FieldContext, FieldOption } from '../engine/fields.ts';

/** Posts of the feeds, after what could not be read. */
export async function feedOptions({ api, signal }: FieldContext): Promise<FieldOption[]> {
  const { items, failed, skipped } = await api.news.feed(undefined, { signal });
  return [
    ...failed.map(({ feed, reason }, index) => ({
      value: `${index} ${feed}`, // A value that no server data has
      label: feed,
      blocked: `form.feed.${reason}` as const,
    })),
    ...skipped.map(({ feed, reason, count }) => ({
      value: `${feed} ${reason}`,
      label: feed,
      note: t('form.feed.skipped', { n: count, count: groupDigits(count) }),
      blocked: `form.feed.${reason}` as const,
    })),
    ...items.map(({ id, title, description, link, image, feed, time: at, known }, index) => ({
      value: id,
      label: title,
      // Only where it differs from the post above. The preview always has it.
      note: [...(items[index - 1]?.feed === feed ? [] : [feed]), at === null ? t('form.feed.noDate') : formatTime(at)].join(
        ' · ',
      ),
      preview: [
        { label: 'form.feed.source' as const, text: feed },
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
}
