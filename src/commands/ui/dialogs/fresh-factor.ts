import { ApiError } from '../../../lib/net/client.ts';
import { askFactor } from '../../app/collect.ts';

export async function withFreshFactor<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'FACTOR_STALE') || !(await askFactor())) throw error;
    return request();
  }
}
