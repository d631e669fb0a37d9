import { platforms } from '../../../api/notices/values.ts';
import { noticeNames } from '../../../api/notices/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { binCommand, crudCommands, previewCommand, showCommands } from '../engine/crud.ts';
import { choiceField, optionalTimeField, multilineField, urlField } from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { recorded } from './recorded.ts';

addNames(noticeNames);

export const noticeTarget = targetOf('notices', ({ content }) => content);

const screenPath = '/notices';
const loadNoticeSchema = () => import('../../../api/notices/contract.ts').then(({ noticeFields }) => noticeFields);

const fields = {
  content: multilineField('notices.field.content'),
  link: urlField('notices.field.link'),
  platform: choiceField(
    'notices.field.platform',
    platforms.map((value) => ({ value, label: `notices.platform.${value}` as const })),
  ),
  startsAt: optionalTimeField('schedule.startsAt', 'schedule.startHint'),
  endsAt: optionalTimeField('schedule.endsAt', 'schedule.endHint'),
} as const;

const crud = crudCommands('notices', {
  place: screenPath,
  entity: 'notice',
  recorded: recorded.notice,
  schema: loadNoticeSchema,
  fields,
  initial: () => ({ platform: 'all', startsAt: null, endsAt: null }),
  routes: ({ notices: routes }) => routes,
});
const { show, hide } = showCommands('notices', screenPath, ({ notices: routes }) => routes);

export const notices = [
  crud.add,
  crud.edit,
  show,
  hide,
  crud.remove,
  crud.restore,
  binCommand('notices.bin', screenPath),
  previewCommand('notices.preview', 'notices', screenPath),
  crud.open,
];
