import { afterAll } from 'vitest';
import { runCleanups } from './cleanup.ts';

// Runs for each test file, because files share modules (vitest.config.ts).
afterAll(runCleanups);
