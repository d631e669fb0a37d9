import { allNames } from '../../../../api/all-names.ts';
import { systemRoute } from '../../../../api/audit/system.ts';
import { inLocale, t, tMaybe } from '../../i18n/i18n.ts';
import { labelText } from '../../i18n/punctuation.ts';

interface Done {
  command: string | null;
  route: string;
  action: string;
  /** The audit's name for the record. */
  entity: string;
}

/** The command and its step, else the route or the server's action. */
export function actionText({ command, route, action, entity }: Done): string {
  if (route === systemRoute) {
    const job = command === null ? null : commandName(command);
    const happened = entity.endsWith('Export') ? 'record.exportHappened' : `record.happened.${entity}`;
    const does = tMaybe(`${happened}.${action}`) ?? t('record.route.other');
    return job === null ? t('record.route.says', { of: kindName(entity), does }) : labelText(job, does);
  }
  const id = [command, route].find((one) => one !== null && byId.has(one));
  const step = tMaybe(`record.step.${action}`);
  if (id) {
    const name = commandName(id) ?? '';
    return step && !id.endsWith(`.${action}`) ? labelText(name, step) : name;
  }
  const plain = tMaybe(`record.plainRoute.${route}`);
  if (plain) return plain;
  const [resource = '', verb = ''] = route.split('.');
  const of = tMaybe(`record.route.of.${resource}`) ?? t('record.route.otherOf');
  const does = step ?? tMaybe(`record.route.does.${verb}`) ?? t('record.route.other');
  return t('record.route.says', { of, does });
}

/** For the system, also the part that did it. */
export function actorText({ actorEmail, route, entity }: { actorEmail: string; route: string; entity?: string }): string {
  if (actorEmail) return actorEmail;
  if (route === systemRoute) return entity === undefined ? t('record.system') : `${t('record.system')} · ${kindName(entity)}`;
  return t(route.startsWith('POST /public/') ? 'record.visitor' : 'record.nobody');
}

/** For a refused request, its subject. */
export const kindName = (entity: string): string =>
  tMaybe(`kinds.${entity}`) ??
  tMaybe(`record.route.of.${entity}`) ??
  (entity === systemRoute ? t('record.system') : (tMaybe(`record.plainRoute.${entity}`) ?? t('record.route.otherOf')));

const byId = new Map(Object.entries(allNames));

/** Null for an unknown command. */
export function commandName(id: string): string | null {
  const name = byId.get(id);
  return name ? inLocale(name) : null;
}
