import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    maxWorkers: 2, // most of them wait for PostgreSQL, a chain or a clock; by itself Vitest would leave one core of two idle
    projects: [
      { test: { name: 'unit', include: ['{api,src,scripts,chain}/**/*.test.{ts,tsx}'], environment: 'node' } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          environment: 'node',
          globalSetup: 'server/platform/test-setup.ts',
          setupFiles: 'server/platform/test-each-file.ts',
          // Each file has its own database, clock and folder: the modules need not be loaded anew for each of them.
          pool: 'threads',
          isolate: false,
          // Real processes and a real PostgreSQL; the bound is for what hangs, not for what is slow.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
