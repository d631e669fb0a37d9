import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const inPanel = new RegExp(
  [
    'src/commands/(app|list|navigation|news-target|panel|registry|restore)\\.',
    'src/commands/(core/(assess|define|fields|history|keys|registry)|surfaces/(keymap|run|go-keys|questions|surfaces))',
    'src/views/layout/(header|nav|sidebar|screens)',
    'src/lib/(activity|menu|query|scope|toasts|drafts|format|access|client|clipboard|errors|printing|use-store|i18n/(name-of|screen-words))',
    'src/lib/ui/((icon|menu|floating|chip|time|safe-link|picture|page|kbd|key-text|button|late|open-record)\\.|list/(?!display-panel))',
    'api/(names|url|errors)\\.',
    'node_modules/(wouter/src/index|regexparam)',
    '@tanstack/(query-core|react-query|table-core|react-table|store|react-store)/',
    'use-sync-external-store/',
    // Its icons by name: those of other screens come with them. An icon left out here lands in a view that imports the
    // panel back, and neither starts (scripts/size.mjs finds it).
    'src/lib/no-mutations\\.',
    'lucide-react/dist/esm/icons/(arrow-(down|up)|ban|bell|book-open|boxes|chart-line|check|chevron-down|circle|circle-(dashed|dot|user|x)' +
      '|coins|ellipsis|external-link|funnel-x|gauge|house|image|image-off|key-round|keyboard|landmark|lock|log-out|menu' +
      '|message-square|newspaper|panel-left|pencil|plus|rotate-ccw-clock|rows-3|rss|search|send|shield-check|sliders-horizontal' +
      '|sun-moon|trash|wifi-off|x)\\.',
  ]
    .map((part) => part.replaceAll('/', '[\\\\/]'))
    .join('|'),
);

export default defineConfig({
  base: '/',
  plugins: [react(), tailwindcss(), bootScript(), ownPreloadHelper(), leanIcons()],
  resolve: {
    alias: [
      // React has had this hook itself since 18.
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: pathOf('src/lib/ui/lucide-icon.ts') },
      { find: /^\.\/mutationCache\.js$/, replacement: pathOf('src/lib/no-mutations.ts') },
    ],
  },
  build: {
    manifest: true,
    // The content policy allows no inline data.
    assetsInlineLimit: 0,
    // The boot script preloads scripts, for the whole page at once.
    modulePreload: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every screen behind the sign-in loads, in one file: it compresses 4 kB better than in twelve.
          // Without what it imports: that is shared with the sign-in page, which must stay light.
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|nanostores|@nanostores|rosetta|dlv|templite)[\\/]/,
            },
            { name: 'panel', test: inPanel },
            // Small things that both pages load: in one file they weigh less than in five.
            {
              name: 'base',
              test: /src[\\/]lib[\\/](storage|use-chunk|loader|chunk-timeout|reach|reload|i18n[\\/]i18n|ui[\\/](lucide-icon|failure|empty|button-class))\.|icons[\\/]((triangle|circle)-exclamation-point|languages|eye|eye-off|wallet)\./,
            },
          ],
        },
      },
    },
  },
});

/**
 * Puts src/boot.ts into the page as a blocking script of its own, before everything else, and tells it
 * which chunks each language, the sign-in and every view need, so that it can ask for them at once.
 */
function bootScript(): Plugin {
  const source = pathOf('src/boot.ts');
  let code = '';
  let address = '/boot.js';

  return {
    name: 'boot-script',
    configureServer(server) {
      server.middlewares.use('/boot.js', (_request, response, next) => {
        bundle(source).then((text) => response.setHeader('content-type', 'text/javascript').end(text), next);
      });
    },
    async buildStart() {
      if (this.environment.mode !== 'build') return;
      code = await bundle(source);
      const fileName = `assets/boot-${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`;
      this.emitFile({ type: 'asset', fileName, source: code });
      address = `/${fileName}`;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle: chunks }) => {
        const { always, list } = chunks ? chunkList(chunks) : { always: [], list: null };
        return [
          ...(chunks ? [{ tag: 'meta', attrs: { name: 'build', content: buildId(chunks) }, injectTo: 'head' as const }] : []),
          {
            tag: 'script',
            attrs: { src: address, ...(list && { 'data-chunks': JSON.stringify(list) }) },
            injectTo: 'head-prepend',
          },
          ...always.map((href) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href },
            injectTo: 'head' as const,
          })),
        ];
      },
    },
  };
}

/** Names the build: another one as soon as any file of it is another, since each has the hash of what it holds in its name. */
const buildId = (chunks: Rolldown.OutputBundle): string =>
  createHash('sha256').update(Object.keys(chunks).sort().join('\n')).digest('base64url').slice(0, 12);

/** Loads chunks with our own helper in place of Vite's (src/lib/import-with-styles.ts). */
function ownPreloadHelper(): Plugin {
  const own = pathOf('src/lib/import-with-styles.ts');
  return {
    name: 'own-preload-helper',
    enforce: 'pre',
    apply: 'build',
    load: (id) =>
      id === '\0vite/preload-helper.js' ? `export { importWithStyles as __vitePreload } from ${JSON.stringify(own)};` : null,
  };
}

/** Leaves of lucide's icons what is drawn: names and keys that nothing reads weigh a kilobyte on every list. */
function leanIcons(): Plugin {
  return {
    name: 'lean-icons',
    apply: 'build',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\// },
      handler: (code) => ({
        code: code.replaceAll(/,\s*key: "\w+"|\b(name: "[\w-]+"|size: 24),|,\s*aliases: \[[^\]]*\]|^__iconData\.node;$/gm, ''),
        map: null,
      }),
    },
  };
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    // A browser too old for the panel must be able to read that it is (src/boot.ts).
    build: {
      target: 'es2017',
      write: false,
      lib: { entry, formats: ['iife'], name: 'boot' },
      rolldownOptions: { output: { exports: 'none' } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error(`expected a bundle of ${entry}`);
  return output.output[0].code;
}

/** What every page loads beside the entry, and addresses by chunk name of what else a view or a language needs. */
function chunkList(bundle: Rolldown.OutputBundle): { always: string[]; list: Record<string, string[]> } {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const withImports = (fileName: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(fileName)) return seen;
    seen.add(fileName);
    for (const imported of byFile.get(fileName)?.imports ?? []) withImports(imported, seen);
    return seen;
  };
  const entries = chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName);
  const always = new Set(entries.flatMap((fileName) => [...withImports(fileName)]));
  const list: Record<string, string[]> = {};
  for (const chunk of chunks) {
    if (!chunk.isDynamicEntry || !chunk.facadeModuleId || !/\/src\/(views|lib\/i18n)\//.test(chunk.facadeModuleId)) continue;
    const file = basename(chunk.facadeModuleId).replace(/\.tsx?$/, '');
    const folder = basename(dirname(chunk.facadeModuleId));
    const name = file === 'index' ? folder : chunk.facadeModuleId.includes('/i18n/') ? `${folder}/${file}` : file;
    list[name] = [...withImports(chunk.fileName)].filter((fileName) => !always.has(fileName)).map((fileName) => `/${fileName}`);
  }
  return { always: [...always].filter((fileName) => !entries.includes(fileName)).map((fileName) => `/${fileName}`), list };
}
