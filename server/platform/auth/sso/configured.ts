import type { SsoConfig } from '../../core/config.ts';
import { createAppError } from '../../core/errors.ts';
import type { Services } from '../../services/context.ts';

/** Throws SSO_OFF. */
export function requireSso({ config }: Pick<Services, 'config'>): SsoConfig {
  if (config.sso === null) throw createAppError('SSO_OFF');
  return config.sso;
}
