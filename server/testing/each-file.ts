import { afterAll } from 'vitest';
import { endAll } from './end.ts';

// Runs anew for each file of tests, which share their modules (vitest.config.ts).
afterAll(endAll);
