import { allNames } from '../../../../api/all-names.ts';
import { systemRoute } from '../../../../api/audit/system.ts';
import { pickLocaleName, t, tMaybe } from '../../i18n/i18n.ts';
import { labelText } from '../../i18n/punctuation.ts';

interface AuditedAction {
  command: string | null;
  route: string;
  action: string;
  /** The audit's name for the record. */
  entity: string;
}

/** The command and its step, else the route or the server's action. */
export function actionText({ command, route, action, entity }: AuditedAction): string {
  if (route === systemRoute) {
    const job = command === null ? null : commandName(command);
    const systemActionKey = entity.endsWith('Export') ? 'record.exportHappened' : `record.happened.${entity}`;
    const actionLabel = tMaybe(`${systemActionKey}.${action}`) ?? t('record.route.other');
    return job === null ? t('record.route.says', { of: kindName(entity), does: actionLabel }) : labelText(job, actionLabel);
  }
  const id = [command, route].find((candidate) => candidate !== null && byId.has(candidate));
  const step = tMaybe(`record.step.${action}`);
  if (id) {
    const name = commandName(id) ?? '';
    return step && !id.endsWith(`.${action}`) ? labelText(name, step) : name;
  }
  const routeText = tMaybe(`record.plainRoute.${route}`);
  if (routeText) return routeText;
  const [resource = '', verb = ''] = route.split('.');
  const resourceText = tMaybe(`record.route.of.${resource}`) ?? t('record.route.otherOf');
  const verbText = step ?? tMaybe(`record.route.does.${verb}`) ?? t('record.route.other');
  return t('record.route.says', { of: resourceText, does: verbText });
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
  return name ? pickLocaleName(name) : null;
}
