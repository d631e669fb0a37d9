import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vitest/config';
import { helpPages } from './scripts/help/plugin.ts';
import { findBrowser, testFlags } from './scripts/suite/browser.mjs';
import { hasCitus } from './scripts/suite/citus.ts';
import { isLongRun } from './scripts/suite/tier.ts';
import { browserCommands } from './src/testing/browser-commands.ts';
import panel from './vite.config.ts';

const componentTests = 'src/**/*.component.test.{ts,tsx}';
const chromium = await findBrowser();
const citusExcludes = hasCitus() ? [] : ['**/citus*.long.test.ts'];
if (isLongRun && citusExcludes.length > 0) console.log('Citus is not installed here, so the visits are not tested on it.');

export default defineConfig({
  test: {
    maxWorkers: 2, // most tests wait
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{api,src,scripts,chain}/**/*.test.{ts,tsx}'],
          exclude: [componentTests, ...(isLongRun ? [] : ['**/*.long.test.ts'])],
          environment: 'node',
          isolate: false, // reloading modules took half the time
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: isLongRun ? citusExcludes : ['**/*.long.test.ts'],
          environment: 'node',
          globalSetup: 'server/testing/setup.ts',
          setupFiles: 'server/testing/each-file.ts',
          pool: 'threads',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // In a real browser without a server (src/testing).
        plugins: [tailwindcss(), helpPages(), ...(process.argv.includes('run') ? [cacheModules()] : [])],
        resolve: panel.resolve ?? {},
        oxc: { jsx: { development: false } }, // production React
        // A late discovery reloads the page during a test.
        optimizeDeps: {
          include: [
            'react',
            'react/jsx-runtime',
            'react-dom',
            'react-dom/client',
            '@nanostores/react',
            'nanostores',
            'rosetta',
            '@tanstack/react-query',
            '@tanstack/react-store',
            '@tanstack/react-table',
            '@headlessui/react',
            'cmdk',
            'wouter',
            'wouter/use-browser-location',
            'zod/mini',
            '@orpc/contract',
            '@orpc/server',
            '@orpc/server/fetch',
            '@simplewebauthn/browser',
            '@noble/hashes/sha3.js',
            'uplot',
            'uqr',
          ],
          noDiscovery: true,
          rolldownOptions: {
            transform: { define: { 'process.env.NODE_ENV': '"production"' } },
          },
        },
        test: {
          name: 'components',
          maxWorkers: 2,
          include: [componentTests],
          exclude: isLongRun ? [] : ['**/*.long.component.test.{ts,tsx}'],
          testTimeout: 30_000,
          expect: { poll: { timeout: 10_000, interval: 20 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1440, height: 900 },
            commands: browserCommands,
            provider: playwright({
              launchOptions: {
                ...(chromium ? { executablePath: chromium } : {}),
                args: testFlags,
              },
              contextOptions: {
                viewport: { width: 1440, height: 900 },
                locale: 'zh-CN',
                timezoneId: 'Asia/Shanghai',
                permissions: ['clipboard-read', 'clipboard-write'],
              },
              actionTimeout: 10_000,
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});

function cacheModules(): Plugin {
  return {
    name: 'keep-modules',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (/\.(tsx?|mjs|js|css|woff2)(\?|$)/.test(request.url ?? '')) {
          const setHeader = response.setHeader.bind(response);
          response.setHeader = (name, value) => setHeader(name, name.toLowerCase() === 'cache-control' ? 'max-age=3600' : value);
        }
        next();
      });
    },
  };
}
