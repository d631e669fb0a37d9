import * as z from 'zod/mini';
import { idSchema, optionalTextSchema, textSchema, timeSchema } from '../base.ts';
import { revocationReasons, tokenStates } from './service-values.ts';

/** What a person chooses for every token. */
export const newTokenShape = {
  name: textSchema(100),
  expiresAt: timeSchema(),
  /** CIDR, separated by commas or lines. Empty: from everywhere. */
  networks: z.optional(optionalTextSchema(2000)),
};

export const revocationFields = z.strictObject({ token: idSchema() });

/** Of a service account, or a provisioning token. */
export const anyToken = z.object({
  id: idSchema(),
  name: z.string(),
  lastFour: z.string(),
  state: z.enum(tokenStates),
  networks: z.array(z.string()),
  creatorEmail: z.string(),
  createdAt: timeSchema(),
  expiresAt: timeSchema(),
  lastUsedAt: z.nullable(timeSchema()),
  lastIp: z.nullable(z.string()),
  revokedAt: z.nullable(timeSchema()),
  revokedBy: z.nullable(z.string()),
  revokedReason: z.nullable(z.enum(revocationReasons)),
});
export type AnyToken = z.infer<typeof anyToken>;

/** The text is shown once and never stored. */
export const newToken = z.object({ id: idSchema(), token: z.string(), expiresAt: timeSchema() });
export type NewToken = z.infer<typeof newToken>;
