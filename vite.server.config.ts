import { relative } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { serverPackages } from './scripts/setup.mjs';

const outDir = '.cache/server';

const server: UserConfig = {
  plugins: [ownAddresses()],
  publicDir: false,
  ssr: { noExternal: true, external: serverPackages },
  build: {
    ssr: true,
    outDir,
    target: 'node20',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        signer: 'server/signer/main.ts',
        command: 'scripts/command/main.ts',
        'admin-create': 'server/admin-create.ts',
        migrate: 'server/migrate.ts',
        doctor: 'server/doctor.ts',
        backup: 'server/backup.ts',
        restore: 'server/restore.ts',
        'secret-key-rotate': 'server/secret-key-rotate.ts',
        'audit-verify': 'server/audit/verify.ts',
        'pictures-move': 'server/pictures-move.ts',
        'statistics-database': 'server/statistics-database.ts',
        'authority-init': 'server/authority/init.ts',
        'authority-verify-own': 'server/authority/verify.ts',
        'test-panels': 'server/testing/panels.ts',
        'test-import-worker': 'server/testing/import-worker.ts',
        'test-postgres': 'server/testing/postgres-process.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
};

/** One file for anyone with Node: `--mode authority-verify`. */
const verifier: UserConfig = {
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'server/authority/verify-alone.ts',
    outDir,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'authority-verify.mjs', codeSplitting: false } },
  },
};

const demoWallet: UserConfig = {
  publicDir: false,
  build: {
    outDir,
    emptyOutDir: false,
    lib: { entry: 'chain/wallet/main.ts', formats: ['es'], fileName: () => 'demo-wallet.js' },
    rolldownOptions: { output: { chunkFileNames: 'demo-wallet-[name].js' } },
  },
};

const qaKit: UserConfig = {
  publicDir: false,
  ssr: { noExternal: true, external: ['@playwright/test'] },
  build: {
    ssr: true,
    outDir: 'qa/kit/dist',
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: { index: 'qa/kit/index.ts', pictures: 'qa/kit/pictures.ts', pageless: 'qa/kit/pageless.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
};
/** One program of the package, with the panel's commands. */
const qaProgram = (entry: string, outDir: string): UserConfig => ({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: entry,
    outDir,
    target: 'node20',
    minify: true,
    rolldownOptions: { output: { entryFileNames: 'main.js' } },
  },
});

const byMode: Readonly<Record<string, UserConfig>> = {
  'qa-kit': qaKit,
  'qa-shell': qaProgram('scripts/command/main.ts', 'qa/kit/dist/shell'),
  'qa-engine': qaProgram('scripts/qa/engine/main.ts', 'qa/kit/dist/engine'),
  'authority-verify': verifier,
  'demo-wallet': demoWallet,
};

export default defineConfig(({ mode }) => byMode[mode] ?? server);

/** Keeps import.meta.url, so that files beside a source (migrations, lists) are found. */
function ownAddresses(): Plugin {
  return {
    name: 'own-addresses',
    enforce: 'pre',
    transform: (code, id) =>
      code.includes('import.meta.url') && !id.includes('node_modules')
        ? {
            code: code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(outDir, id))}, import.meta.url).href`),
            map: null,
          }
        : null,
  };
}
