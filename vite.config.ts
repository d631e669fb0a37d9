import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';
import { asOnePath, type IconNode } from './scripts/icon-path.ts';
import type { ChunkList } from './src/lib/chunks/list.ts';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const { version } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8')) as { version: string };

export default defineConfig({
  base: '/',
  define: { 'import.meta.env.PANEL_VERSION': JSON.stringify(version) },
  plugins: [react(), tailwindcss(), bootScript(), ownPreloadHelper(), wordsInOne(), iconsByFile(), leanIcons()],
  resolve: {
    alias: [
      // React has had this hook itself since 18.
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: pathOf('src/lib/ui/lucide-icon.ts') },
      { find: /^\.\/mutationCache\.js$/, replacement: pathOf('src/lib/net/no-mutations.ts') },
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
            // The part of Headless UI that dialogs on every page need. Menus and fields have separate chunks.
            { name: 'headless', test: (id) => headless.test(id) && !headlessControl.test(id) },
            { name: fileOf, debugName: 'by what needs it' },
          ],
        },
      },
    },
  },
});

const headless =
  /node_modules[\\/](@headlessui|@floating-ui|tabbable|@react-aria|react-aria|react-stately|@tanstack[\\/](react-virtual|virtual-core)|use-sync-external-store(?!.*shim))[\\/]/;
/** Loaded where they are imported, when they are first needed. */
const headlessControl =
  /@floating-ui|tabbable|virtual|@headlessui[\\/]react[\\/]dist[\\/](components[\\/](menu|listbox|combobox|popover|radio-group|tabs)|internal[\\/]floating)/;

/** The graph of modules, as a build knows it. */
type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

let groups: Map<string, string> | null = null;

/** The file that a module goes into; none: where it is asked for. */
function fileOf(id: string, graph: Graph): string | null {
  groups ??= groupsOf(graph);
  return groups.get(id) ?? null;
}

/**
 * Read off the graph: `base` is what the sign-in page and the screens behind it both need, `panel` what the layout or nearly
 * every list needs, `workbench` what each page asks for once it stands (palette, dialogs, all commands). What screens need of
 * that before, they have in a `part` of their own or share: a hundred files of some hundred bytes cost more than what they hold.
 */
function groupsOf(graph: Graph): Map<string, string> {
  const needs = (...entries: string[]) => {
    const all = new Set(entries);
    for (const id of all) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) all.add(imported);
    return all;
  };
  const asked = (file: string) => graph.getModuleInfo(pathOf(file))?.dynamicallyImportedIds ?? [];
  const screens = asked('src/views/layout/views.ts')
    .filter((id) => id.endsWith('/screen.tsx'))
    .map((id) => needs(id));
  const [shell, surfaces] = ['src/views/layout/shell.tsx', 'src/commands/ui/surfaces.tsx'] as const;

  const signIn = needs(pathOf('src/main.tsx'), pathOf('src/views/access/login/screen.tsx'));
  const inside = needs(pathOf(shell));
  inside.delete(pathOf(shell)); // a file of its own, asked for by that name
  const lists = screens.filter((all) => [...all].some((id) => id.includes('/@tanstack/react-table/')));
  for (const id of new Set(lists.flatMap((all) => [...all])))
    if (lists.filter((all) => all.has(id)).length > lists.length * 0.75) inside.add(id);
  const after = needs(...[shell, surfaces].flatMap(asked).filter((id) => !id.includes('/i18n/')));

  const files = new Map<string, string>();
  for (const id of inside) files.set(id, signIn.has(id) ? 'base' : 'panel');
  const own = [...after].filter((id) => !inside.has(id) && !signIn.has(id) && !headless.test(id));
  // One that needs a good part of it (the audit speaks of everything) waits for all of it.
  const light = screens.filter((all) => own.filter((id) => all.has(id)).length < own.length / 4);
  const parts = new Map<string, Part>();
  for (const id of own) {
    const by = light.flatMap((all, at) => (all.has(id) ? [at] : []));
    const part = parts.get(by.join()) ?? { ids: [], by: new Set(by), size: 0 };
    part.ids.push(id);
    part.size += graph.getModuleInfo(id)?.code?.length ?? 0;
    parts.set(by.join(), part);
  }
  for (const [at, { ids, by }] of together([...parts.values()], light.length).entries())
    for (const id of ids) files.set(id, by.size === 0 ? 'workbench' : `part-${at}`);
  return files;
}

/** Modules that the same screens need, by their place among the screens; `size` in characters. */
interface Part {
  ids: string[];
  by: Set<number>;
  size: number;
}

/** How much a screen may load that only others need, as a share of what it needs itself: a list has 160 kB in all (scripts/size.mjs). */
const share = 0.2;

/** Fewer files of the same: two become one, the cheapest first, as long as no screen loads more than it can spare. */
function together(parts: readonly Part[], screens: number): Part[] {
  const wasted = Array.from({ length: screens }, () => 0);
  const left = [...parts];
  const own = wasted.map((_, at) => parts.reduce((sum, part) => (part.by.has(at) ? sum + part.size : sum), 0));
  for (;;) {
    let best: { one: Part; other: Part; cost: number; extra: number[] } | null = null;
    for (const one of left)
      for (const other of left) {
        if (one === other || one.by.size === 0 || other.by.size === 0) continue;
        const extra = wasted.map((sum, at) =>
          one.by.has(at) === other.by.has(at) ? sum : sum + (one.by.has(at) ? other.size : one.size),
        );
        const cost = extra.reduce((sum, now, at) => sum + now - (wasted[at] ?? 0), 0);
        if (extra.every((sum, at) => sum <= share * (own[at] ?? 0)) && cost < (best?.cost ?? Infinity))
          best = { one, other, cost, extra };
      }
    if (!best) return left;
    const { one, other, extra } = best;
    left.splice(left.indexOf(other), 1);
    left.splice(left.indexOf(one), 1, {
      ids: [...one.ids, ...other.ids],
      by: new Set([...one.by, ...other.by]),
      size: one.size + other.size,
    });
    wasted.splice(0, screens, ...extra);
  }
}

/**
 * Puts src/boot.ts into the page as a blocking script of its own, before everything else, and tells it
 * which scripts there are and what each imports, so that it can ask at once for all that this page needs.
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
        // While developing: what the server puts into the page of a demo, or refuses (server/workspace/dev-wallet.ts).
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

/** Names the build: another one as soon as any file of it is another, since each has the hash of what it holds in its name. */
const buildId = (chunks: Rolldown.OutputBundle): string =>
  createHash('sha256').update(Object.keys(chunks).sort().join('\n')).digest('base64url').slice(0, 12);

/** Loads chunks with our own helper in place of Vite's (src/lib/chunks/import-with-styles.ts). */
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
 * The words of everything (resources.ts) in one file a language. Each screen's own words are a file beside it; asking for two
 * dozen of those again, once the screen stands, takes longer than reading the few that are here a second time.
 */
function wordsInOne(): Plugin {
  return {
    name: 'words-in-one',
    enforce: 'pre',
    apply: 'build',
    async resolveId(source, importer) {
      if (!importer || !/\/i18n\/[\w-]+\/resources\.ts$/.test(importer)) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && `${found.id}?in-one`;
    },
  };
}

/** Leaves of lucide's icons what is drawn, as one path: names and keys that nothing reads weigh a kilobyte on every list. */
function leanIcons(): Plugin {
  return {
    name: 'lean-icons',
    apply: 'build',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\// },
      async handler(_, id) {
        const { __iconData: icon } = (await import(pathToFileURL(id).href)) as { __iconData?: { node: IconNode } };
        if (!icon) return null; // another's second name
        const [path, ...others] = asOnePath(icon.node);
        const lean = others.length === 0 ? path?.[1]['d'] : { node: [path, ...others] };
        return {
          code: `import createIcon from '../createLucideIcon.mjs';\nexport default createIcon(${JSON.stringify(lean)});`,
          map: null,
        };
      },
    },
  };
}

/** Imports each icon from its own file: through the list of them all, each page would seem to need every one (groupsOf). */
function iconsByFile(): Plugin {
  const list = readFileSync(pathOf('node_modules/lucide-react/dist/esm/lucide-react.mjs'), 'utf8');
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of list.matchAll(/export \{([^}]*)\} from '\.\/(icons\/[\w-]+\.mjs)'/g))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g))
      files.set(name, pathOf(`node_modules/lucide-react/dist/esm/${file}`));
  return {
    name: 'icons-by-file',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\//, code: /from 'lucide-react'/ },
      handler: (code) => ({
        code: code.replace(/import \{([^}]*)\} from 'lucide-react';/g, (_, names: string) =>
          names
            .split(',')
            .map((one) => one.trim())
            .filter((one) => one && !one.startsWith('type '))
            .map((one) => {
              const [name = '', as = name] = one.split(' as ');
              return `import ${as} from '${files.get(name)}';`;
            })
            .join(' '),
        ),
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

/** A screen has the name of its folder, words that of their language and file; a language itself is its `index`. */
function chunkName(module: string): string {
  const file = basename(module).replace(/\.tsx?$/, '');
  const language = /\/i18n\/([\w-]+)\//.exec(module)?.[1];
  if (language) return file === 'index' ? language : `${language}/${file}`;
  return file === 'screen' ? basename(dirname(module)) : file;
}

/** What every page loads beside the entry, and what imports what of all else. */
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
