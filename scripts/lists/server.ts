import { isContractProcedure } from '@orpc/contract';
import { listEntries, filesNamed, groupBy, inMenuOrder, generatedNotice, type Sources } from './features.ts';

export async function apiLists(sources: Sources): Promise<Map<string, string>> {
  const resources = await resourcesOf(sources);
  return new Map([
    ['api/contract.ts', contractText(resources)],
    ['api/all-names.ts', namesText(sources)],
    ['server/router.ts', routerText(sources, resources)],
  ]);
}

interface Resource {
  key: string;
  feature: string;
  file: string;
}

async function resourcesOf({ folders, files, load }: Sources): Promise<Resource[]> {
  const paths = folders('api').flatMap((feature) => files(`api/${feature}`).map((path) => ({ feature, path })));
  const loadedContracts = paths.map(async ({ feature, path }) =>
    Object.entries(await load(path))
      .filter(([, value]) => hasRoutes(value))
      .map(([key]) => ({ key, feature, file: path.slice('api/'.length) })),
  );
  return (await Promise.all(loadedContracts)).flat();
}

function hasRoutes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const routeValues: unknown[] = Object.values(value);
  return routeValues.length > 0 && routeValues.every((routeValue) => isContractProcedure(routeValue));
}

function importsOf(exportedNames: readonly { key: string; file: string }[], prefix: string): string {
  const byFile = groupBy(exportedNames, ({ file }) => file);
  return [...byFile]
    .map(([file, all]) => `import { ${all.map(({ key }) => key).join(', ')} } from '${prefix}${file}';\n`)
    .join('');
}

function contractText(resources: readonly Resource[]): string {
  return `${generatedNotice}${importsOf(resources, './')}
/** One key per resource. */
export const contract = {
${listEntries(resources.map(({ key }) => key))}};
`;
}

function namesText(sources: Sources): string {
  const paths = new Map(filesNamed(sources, 'api', 'names.ts').map(({ feature, path }) => [feature, path]));
  const namesOfFile = inMenuOrder(sources, [...paths.keys()]).map((feature) => {
    const path = paths.get(feature) ?? '';
    const source = sources.read(path);
    const key = /^export const (\w+)Names = /m.exec(source)?.[1];
    if (key === undefined) throw new Error(`${path} must export the names of its commands: export const …Names = {`);
    return { key, file: path.slice('api/'.length), hasFunctions: source.includes(`export const ${key}Functions = `) };
  });
  const exportedNames = namesOfFile.flatMap(({ key, file, hasFunctions }) =>
    (hasFunctions ? ['Names', 'Functions'] : ['Names']).map((suffix) => ({ key: `${key}${suffix}`, file })),
  );
  return `${generatedNotice}import type { MenuPath } from './menu.ts';
import { names } from './first-names.ts';
import type { Name } from './naming.ts';
${importsOf(exportedNames, './')}
/** The permission tree is seeded from these names. */
export const allNames = {
  ...names,
${listEntries(namesOfFile.map(({ key }) => `...${key}Names`))}} as const satisfies Record<string, Name>;

/** Commands with their own permission, by screen. */
export const functions = {
${listEntries(namesOfFile.filter(({ hasFunctions }) => hasFunctions).map(({ key }) => `...${key}Functions`))}} as const satisfies { readonly [P in MenuPath]?: readonly (keyof typeof allNames)[] };
`;
}

function routerText({ files, read, has }: Sources, resources: readonly Resource[]): string {
  const routesOfResources = resources.map(({ key, feature }) => {
    const folder = `server/${feature}`;
    const declaresRoutes = new RegExp(`^export const ${key} = `, 'm');
    const path = has(folder) && files(folder).find((file) => !file.endsWith('/tables.ts') && declaresRoutes.test(read(file)));
    if (!path) throw new Error(`nothing in ${folder} answers ${key}: a file there must export const ${key} = {`);
    return { key, file: path.slice('server/'.length) };
  });
  return `${generatedNotice}import { guardRouter } from './platform/http/router.ts';
${importsOf(routesOfResources, './')}
/** Every route of the contract, implemented: one resource a key. One left out does not compile. */
export const router = guardRouter({
${listEntries(routesOfResources.map(({ key }) => key))}});
`;
}
