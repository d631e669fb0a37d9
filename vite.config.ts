import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';
import { helpPages } from './scripts/help/plugin.ts';
import type { ChunkList } from './src/lib/chunks/list.ts';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const { version } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8')) as { version: string };

export default defineConfig({
  base: '/',
  define: { 'import.meta.env.PANEL_VERSION': JSON.stringify(version) },
  plugins: [react(), tailwindcss(), bootScript(), ownPreloadHelper(), wordsInOne(), helpPages()],
  resolve: {
    alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }],
  },
  build: {
    manifest: true,
    // The content policy forbids inline data.
    assetsInlineLimit: 0,
    // The boot script preloads the chunks.
    modulePreload: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Otherwise a group also takes its dependencies, including what the sign-in page needs.
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|nanostores|@nanostores|rosetta|dlv|templite)[\\/]/,
            },
            { name: 'headless', test: (id) => headless.test(id) && !headlessControl.test(id) },
            { name: groupOf, debugName: 'by what imports it' },
          ],
        },
      },
    },
  },
});

const headless =
  /node_modules[\\/](@headlessui|@floating-ui|tabbable|@react-aria|react-aria|react-stately|@tanstack[\\/](react-virtual|virtual-core)|use-sync-external-store(?!.*shim))[\\/]/;
const headlessControl =
  /@floating-ui|tabbable|virtual|@headlessui[\\/]react[\\/]dist[\\/](components[\\/](menu|listbox|combobox|popover|radio-group|tabs)|internal[\\/]floating)/;

const newsFeature = /[\\/](api|src[\\/](commands|views))[\\/]news[\\/]/;

type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

let groups: Map<string, string> | null = null;

function groupOf(id: string, graph: Graph): string | null {
  groups ??= groupsOf(graph);
  return groups.get(id) ?? null;
}

/**
 * `base`: sign-in and layout. `panel`: the rest of the layout, plain lists. `workbench`: palette, dialogs, commands, after the
 * first paint.
 */
function groupsOf(graph: Graph): Map<string, string> {
  const importsOf = (...entries: string[]) => {
    const all = new Set(entries);
    for (const id of all) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) all.add(imported);
    return all;
  };
  const dynamicImportsOf = (id: string) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
  const shell = pathOf('src/views/layout/shell.tsx');
  const signIn = importsOf(pathOf('src/main.tsx'), pathOf('src/views/access/login/screen.tsx'));
  const layout = importsOf(shell);
  const news = importsOf(pathOf('src/views/news/screen.tsx'));
  const screens = importsOf(...dynamicImportsOf(pathOf('src/views/layout/views.ts')));
  const later = [shell, pathOf('src/commands/ui/surfaces.tsx')].flatMap(dynamicImportsOf);

  const found = new Map<string, string>();
  for (const id of importsOf(...later.filter((file) => !file.includes('/i18n/'))))
    if (!signIn.has(id) && !screens.has(id)) found.set(id, 'workbench');
  for (const id of news) if (!newsFeature.test(id) && !signIn.has(id)) found.set(id, 'panel');
  for (const id of layout) found.set(id, signIn.has(id) ? 'base' : 'panel');
  for (const id of signIn) if (/[\\/]lucide-react[\\/]/.test(id)) found.set(id, 'base');
  found.delete(shell); // the boot script preloads it by name
  return found;
}

/** A blocking script before all others, with the chunks and their imports, which it requests together. */
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
        if (!chunks) {
          return [
            { tag: 'script', attrs: { src: address }, injectTo: 'head-prepend' },
            { tag: 'script', attrs: { src: '/dev/wallet/demo-wallet.js', type: 'module' }, injectTo: 'head' },
          ];
        }
        const { always, list } = chunkList(chunks);
        return [
          { tag: 'meta', attrs: { name: 'build', content: buildId(chunks) }, injectTo: 'head' as const },
          { tag: 'script', attrs: { src: address, 'data-chunks': JSON.stringify(list) }, injectTo: 'head-prepend' },
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

const buildId = (chunks: Rolldown.OutputBundle): string =>
  createHash('sha256').update(Object.keys(chunks).sort().join('\n')).digest('base64url').slice(0, 12);

/** Replaces Vite's preload helper with src/lib/chunks/import-with-styles.ts. */
function ownPreloadHelper(): Plugin {
  const own = pathOf('src/lib/chunks/import-with-styles.ts');
  return {
    name: 'own-preload-helper',
    enforce: 'pre',
    apply: 'build',
    load: (id) =>
      id === '\0vite/preload-helper.js' ? `export { importWithStyles as __vitePreload } from ${JSON.stringify(own)};` : null,
  };
}

/**
 * Shared words (resources.ts) in one file per language. Repeating a few screen texts is faster than two dozen
 * requests.
 */
function wordsInOne(): Plugin {
  return {
    name: 'words-in-one',
    enforce: 'pre',
    apply: 'build',
    async resolveId(source, importer) {
      const isResources = importer && /\/i18n\/[\w-]+\/resources\.ts$/.test(importer);
      if (!isResources && !importer?.endsWith('?in-one')) return null;
      const found = await this.resolve(source, importer.replace('?in-one', ''), { skipSelf: true });
      return found && /\/i18n\/[\w-]+\//.test(found.id) ? `${found.id}?in-one` : found;
    },
  };
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    // Unsupported browsers must understand the message (src/boot.ts).
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

function chunkName(module: string): string {
  const file = basename(module).replace(/\.tsx?$/, '');
  const language = /\/i18n\/([\w-]+)\//.exec(module)?.[1];
  if (language) return file === 'index' ? language : `${language}/${file}`;
  return file === 'screen' ? basename(dirname(module)) : file;
}

function chunkList(bundle: Rolldown.OutputBundle): { always: string[]; list: ChunkList } {
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
  for (const { fileName, imports, isDynamicEntry, facadeModuleId } of chunks) {
    if (isDynamicEntry && facadeModuleId && /\/src\/(views|lib\/i18n)\//.test(facadeModuleId) && !always.has(fileName))
      list[chunkName(facadeModuleId)] = [`/${fileName}`];
    const others = imports.filter((imported) => !always.has(imported)).map((imported) => `/${imported}`);
    if (others.length > 0 && !always.has(fileName)) list[`/${fileName}`] = others;
  }
  return { always: [...always].filter((fileName) => !entries.includes(fileName)).map((fileName) => `/${fileName}`), list };
}
