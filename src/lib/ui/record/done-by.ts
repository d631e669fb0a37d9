import { allNames } from '../../../../api/all-names.ts';
import { systemRoute } from '../../../../api/audit/system.ts';
import { inLocale, t, tMaybe } from '../../i18n/i18n.ts';

interface Done {
  command: string | null;
  route: string;
  action: string;
  /** The audit's word for the record. */
  entity: string;
}

/** What an audit entry did, in words: its command's name, else what its route or the server itself does to what. */
export function doneBy({ command, route, action, entity }: Done): string {
  const named = nameOf(command ?? '') ?? nameOf(route);
  if (named) return named;
  if (route === 'POST /public/feedback') return t('record.publicFeedback');
  const [resource = '', verb = ''] = route.split('.');
  const isSystem = route === systemRoute;
  const of = isSystem ? kindName(entity) : (tMaybe(`record.route.of.${resource}`) ?? resource);
  const does = isSystem ? tMaybe(`record.happened.${entity}.${action}`) : tMaybe(`record.route.does.${verb}`);
  return t('record.route.says', { of, does: does ?? (isSystem ? action : verb) });
}

/** Who did it; of the system, which part of it where the record's kind is told. */
export function doneByWhom({ actorEmail, route, entity }: { actorEmail: string; route: string; entity?: string }): string {
  if (actorEmail) return actorEmail;
  if (route === systemRoute) return entity === undefined ? t('record.system') : `${t('record.system')} · ${kindName(entity)}`;
  return t(route.startsWith('POST /public/') ? 'record.visitor' : 'record.nobody');
}

/** What the audit calls a record of a kind. */
export const kindName = (entity: string): string => tMaybe(`kinds.${entity}`) ?? entity;

const byId = new Map(Object.entries(allNames));

function nameOf(id: string): string | null {
  const name = byId.get(id);
  return name ? inLocale(name) : null;
}
