import { perServer, type Actor, type RequestContext } from '../core/context.ts';
import { failure } from '../core/errors.ts';

const minute = 60_000;

/** Counts calls in fixed windows of a minute, in memory: cheap, per process, and forgotten at a restart. */
export class Windows {
  readonly #counts = new Map<string, { since: number; count: number }>();

  /** Seconds until the next window when `key` has used up `limit`, else null. */
  take(key: string, limit: number, now: number): number | null {
    let window = this.#counts.get(key);
    if (!window || Math.abs(now - window.since) >= minute) {
      if (this.#counts.size > 50_000) this.#counts.clear();
      window = { since: now, count: 0 };
      this.#counts.set(key, window);
    }
    if (window.count >= limit) return Math.max(1, Math.ceil((window.since + minute - now) / 1000));
    window.count++;
    return null;
  }
}

const callsOf = perServer(() => new Windows());

/** Throws TOO_MANY_REQUESTS when one administrator calls more than the configuration allows. */
export function countCall({ services }: RequestContext, actor: Actor, kind: 'read' | 'write'): void {
  const limit = kind === 'read' ? services.config.readsPerMinute : services.config.writesPerMinute;
  if (limit === 0) return;
  const retryAfter = callsOf(services).take(`${kind} ${actor.id}`, limit, services.now());
  if (retryAfter !== null) throw failure('TOO_MANY_REQUESTS', { retryAfter });
}
