import { afterAll } from 'vitest';
import { endAll } from './end.ts';

// Runs for each test file, because files share modules (vitest.config.ts).
afterAll(endAll);
