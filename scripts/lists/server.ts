import { isContractProcedure } from '@orpc/contract';
import { listEntries, filesNamed, groupBy, inMenuOrder, generatedNotice, type Sources } from './features.ts';

export async function apiLists(sources: Sources): Promise<Map<string, string>> {
  const resources = await resourcesOf(sources);
  return new Map([
    ['api/contract.ts', contractOf(resources)],
    ['api/all-names.ts', namesOf(sources)],
    ['server/router.ts', routerOf(sources, resources)],
  ]);
}

interface Resource {
  key: string;
  feature: string;
  file: string;
}

async function resourcesOf({ folders, files, load }: Sources): Promise<Resource[]> {
  const paths = folders('api').flatMap((feature) => files(`api/${feature}`).map((path) => ({ feature, path })));
  const found = paths.map(async ({ feature, path }) =>
    Object.entries(await load(path))
      .filter(([, value]) => hasRoutes(value))
      .map(([key]) => ({ key, feature, file: path.slice('api/'.length) })),
  );
  return (await Promise.all(found)).flat();
}

function hasRoutes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const parts: unknown[] = Object.values(value);
  return parts.length > 0 && parts.every((part) => isContractProcedure(part));
}

function importsOf(taken: readonly { key: string; file: string }[], prefix: string): string {
  const byFile = groupBy(taken, ({ file }) => file);
  return [...byFile]
    .map(([file, all]) => `import { ${all.map(({ key }) => key).join(', ')} } from '${prefix}${file}';\n`)
    .join('');
}

function contractOf(resources: readonly Resource[]): string {
  return `${generatedNotice}${importsOf(resources, './')}
/** One key per resource. */
export const contract = {
${listEntries(resources.map(({ key }) => key))}};
`;
}

function namesOf(sources: Sources): string {
  const paths = new Map(filesNamed(sources, 'api', 'names.ts').map(({ feature, path }) => [feature, path]));
  const all = inMenuOrder(sources, [...paths.keys()]).map((feature) => {
    const path = paths.get(feature) ?? '';
    const source = sources.read(path);
    const key = /^export const (\w+)Names = /m.exec(source)?.[1];
    if (key === undefined) throw new Error(`${path} must export the names of its commands: export const …Names = {`);
    return { key, file: path.slice('api/'.length), hasFunctions: source.includes(`export const ${key}Functions = `) };
  });
  const taken = all.flatMap(({ key, file, hasFunctions }) =>
    (hasFunctions ? ['Names', 'Functions'] : ['Names']).map((what) => ({ key: `${key}${what}`, file })),
  );
  return `${generatedNotice}import type { MenuPath } from './menu.ts';
import { names } from './first-names.ts';
import type { Name } from './naming.ts';
${importsOf(taken, './')}
/** The permission tree is seeded from these names. */
export const allNames = {
  ...names,
${listEntries(all.map(({ key }) => `...${key}Names`))}} as const satisfies Record<string, Name>;

/** Commands with their own permission, by screen. */
export const functions = {
${listEntries(all.filter(({ hasFunctions }) => hasFunctions).map(({ key }) => `...${key}Functions`))}} as const satisfies { readonly [P in MenuPath]?: readonly (keyof typeof allNames)[] };
`;
}

function routerOf({ files, read, has }: Sources, resources: readonly Resource[]): string {
  const answered = resources.map(({ key, feature }) => {
    const folder = `server/${feature}`;
    const isHere = new RegExp(`^export const ${key} = `, 'm');
    const path = has(folder) && files(folder).find((file) => !file.endsWith('/tables.ts') && isHere.test(read(file)));
    if (!path) throw new Error(`nothing in ${folder} answers ${key}: a file there must export const ${key} = {`);
    return { key, file: path.slice('server/'.length) };
  });
  return `${generatedNotice}import { guardRouter } from './platform/http/router.ts';
${importsOf(answered, './')}
/** Every route of the contract, implemented: one resource a key. One left out does not compile. */
export const router = guardRouter({
${listEntries(answered.map(({ key }) => key))}});
`;
}
