import type { RouteMeta } from '../../../api/route.ts';
import { recordRefusal } from '../audit/audit.ts';
import type { Actor, CalledRoute, RequestContext, ServiceActor } from '../services/context.ts';
import { createAppError } from '../core/errors.ts';
import { countCall } from '../http/rate-limit.ts';
import { viewAsHeader } from '../../../api/access/view-as.ts';
import { createPermissionRefusal } from './rights/role-networks.ts';
import { isForServices } from './service-accounts/service-rights.ts';
import { isRevoked } from './sign-in/sessions.ts';
import { applyViewAs } from './view-as.ts';
import { factorRequired, requireFreshFactor } from './step-up.ts';

/** Every route passes here. Throws UNAUTHORIZED, FORBIDDEN or NETWORK. */
export async function authorize(context: RequestContext, route: CalledRoute): Promise<Actor | null> {
  const { meta } = route;
  if (meta.public) return null;
  // Only plain routes may have it, and they don't ask here.
  if (meta.scim) throw createAppError('UNAUTHORIZED');
  const signedIn = await context.session();
  if (!signedIn) throw createAppError('UNAUTHORIZED', (await isRevoked(context)) ? { revoked: true } : undefined);
  if (signedIn.kind === 'service') return authorizeService(context, signedIn, route);
  const actor = await applyViewAs(context, signedIn, route);
  countCall(context, actor, meta.permission ? 'write' : 'read');
  if (actor.mustSetPassword && !passwordSetupRoutes.has(route.name)) throw createAppError('PASSWORD_REQUIRED');
  if (!actor.mustSetPassword && actor.mustEnroll && !enrollmentRoutes.has(route.name)) throw factorRequired(actor);
  if (actor.browserRights && !isForCli(route, actor.browserRights)) {
    await recordRefusal({ ...context, actor, route }, 'NOT_HERE');
    throw createAppError('NOT_HERE');
  }
  if (mayCall(meta, actor.granted)) {
    if (meta.fresh) await requireFreshFactor({ ...context, actor });
    return actor;
  }
  const refusal = await createPermissionRefusal(context.db, actor, meta.permission ?? meta.menu);
  await recordRefusal({ ...context, actor, route }, refusal.code, refusal.data);
  throw refusal;
}

/** Throws NOT_FOR_SERVICES for what only a person may do, whatever the scopes. */
async function authorizeService(context: RequestContext, actor: ServiceActor, route: CalledRoute): Promise<ServiceActor> {
  const code =
    !isForServices(route) || context.headers.has(viewAsHeader)
      ? 'NOT_FOR_SERVICES'
      : route.meta.signedIn || mayCall(route.meta, actor.granted)
        ? null
        : 'FORBIDDEN';
  context.services.meter?.tokenCall(code === null ? 'allowed' : code === 'FORBIDDEN' ? 'forbidden' : 'notForServices');
  if (code === null) return actor;
  await recordRefusal({ ...context, actor, route }, code);
  throw createAppError(code);
}

/** What everyone who is signed in may also do in a CLI session. */
const cliRoutes: ReadonlySet<string> = new Set([
  'session.current',
  'session.signOut',
  'GET /api/events',
  'account.get',
  'account.endSession',
  'account.endOtherSessions',
  'exportJobs.own',
  'exportJobs.cancel',
  'exportJobs.remove',
  'history.own',
  'history.keep',
  'pictures.add',
  'views.list',
  'views.save',
  'views.rename',
  'views.remove',
  'chain.get',
  'dataPanel.freeze',
  'authority.names',
  'authority.people',
  'crsm.call',
]);

/** A permission that the person lacks is FORBIDDEN instead. */
const isForCli = ({ name, meta }: CalledRoute, browserRights: ReadonlySet<string>): boolean =>
  meta.signedIn ? cliRoutes.has(name) : !meta.permission || !browserRights.has(meta.permission);

const alwaysAllowedRoutes = [
  'session.current',
  'session.signOut',
  'GET /api/events',
  'account.get',
  'account.endSession',
  'account.endOtherSessions',
];

/** Routes allowed until a colleague's password is replaced. */
export const passwordSetupRoutes: ReadonlySet<string> = new Set([
  ...alwaysAllowedRoutes,
  'account.sendCode',
  'account.changePassword',
]);

/** Routes allowed until a required second factor exists. */
export const enrollmentRoutes: ReadonlySet<string> = new Set([
  ...alwaysAllowedRoutes,
  'account.factor',
  'account.confirmFactor',
  'account.proveSso',
  'account.startTotp',
  'account.addTotp',
  'account.startPasskey',
  'account.addPasskey',
  'account.useEnrollmentCode',
]);

/** Denied without permission metadata. */
export function mayCall(meta: RouteMeta, granted: ReadonlySet<string>): boolean {
  if (meta.permission) return granted.has(meta.permission);
  if (meta.menu) return granted.has(meta.menu);
  return meta.signedIn ?? meta.public ?? false;
}
