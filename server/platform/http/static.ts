import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export interface StaticOptions {
  /** In memory, so no other file can be reached. */
  root: string;
  /** Falls back to index.html. */
  htmlFor?: (path: string) => string;
  script?: string | null;
  firstScript?: string | null;
  /** Single sign-on, which the page needs before its first paint. */
  sso?: Readonly<Record<string, unknown>> | null;
}

type Coding = 'br' | 'gzip' | 'identity';

interface File {
  type: string;
  caching: string;
  tag: string;
  bodies: Partial<Record<Coding, Uint8Array<ArrayBuffer>>> & { identity: Uint8Array<ArrayBuffer> };
}

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Screens get HTML, unknown files 404. Null for other methods. */
export function createStatic({
  root,
  htmlFor = () => '/index.html',
  script = null,
  firstScript = null,
  sso = null,
}: StaticOptions): (request: Request) => Response | null {
  const files = readFiles(root, { script, firstScript, sso });
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const path = decodePath(new URL(request.url).pathname);
    const file =
      path === null ? undefined : (files.get(path === '/' ? '' : path) ?? (isScreen(path) ? htmlFile(path) : undefined));
    if (file) return buildFileResponse(file, request);
    const isMissingBuild = path !== null && isScreen(path);
    return isMissingBuild
      ? createPlainResponse(503, 'The panel isn’t built yet. Run npm run build', request)
      : createPlainResponse(404, 'Not found', request);
  };

  function htmlFile(path: string): File | undefined {
    return files.get(htmlFor(path)) ?? files.get('/index.html');
  }
}

export function readBuildId(root: string): string | null {
  const page = join(root, 'index.html');
  return existsSync(page) ? (/<meta name="build" content="([\w-]+)"/.exec(readFileSync(page, 'utf8'))?.[1] ?? null) : null;
}

/** A command's link (`/~news.edit`) has a dot but no extension. */
function isScreen(path: string): boolean {
  if (path.startsWith('/~')) return true;
  if (path.startsWith('/assets/') || path.split('/').some((part) => part.startsWith('.'))) return false;
  return !extname(path);
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function buildFileResponse(file: File, request: Request): Response {
  const coding = pickCoding(file, request.headers.get('accept-encoding'));
  const tag = `"${file.tag}-${coding}"`;
  const headers = new Headers({ 'cache-control': file.caching, etag: tag, vary: 'accept-encoding' });
  if (isKnownEtag(request.headers.get('if-none-match'), tag)) return new Response(null, { status: 304, headers });
  const body = file.bodies[coding] ?? file.bodies.identity;
  headers.set('content-type', file.type);
  headers.set('content-length', String(body.length));
  if (coding !== 'identity') headers.set('content-encoding', coding);
  return new Response(request.method === 'HEAD' ? null : body, { headers });
}

function createPlainResponse(status: number, text: string, request: Request): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(request.method === 'HEAD' ? null : text, { status, headers });
}

function pickCoding(file: File, acceptedEncodings: string | null): Coding {
  const weightByCoding = new Map(
    (acceptedEncodings ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((parameterText) => parameterText.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight ? Number(weight.slice(2)) : 1] as const;
    }),
  );
  for (const coding of ['br', 'gzip'] as const) {
    if (file.bodies[coding] && (weightByCoding.get(coding) ?? weightByCoding.get('*') ?? 0) > 0) return coding;
  }
  return 'identity';
}

function isKnownEtag(knownTags: string | null, tag: string): boolean {
  if (knownTags === null) return false;
  return knownTags.trim() === '*' || knownTags.split(',').some((knownTag) => knownTag.trim().replace(/^W\//, '') === tag);
}

type PageParts = Required<Pick<StaticOptions, 'script' | 'firstScript' | 'sso'>>;

function insertParts(page: Uint8Array, { script, firstScript, sso }: PageParts): Uint8Array<ArrayBuffer> {
  const endParts = [
    sso !== null && `<meta name="sso" content="${escapeAttribute(JSON.stringify(sso))}">`,
    script !== null && `<script type="module" src="${script}"></script>`,
  ];
  const text = Buffer.from(page)
    .toString()
    .replace('</head>', () => `${endParts.filter(Boolean).join('')}</head>`)
    .replace('<head>', () => (firstScript === null ? '<head>' : `<head><script src="${firstScript}"></script>`));
  return new Uint8Array(Buffer.from(text));
}

const attributeEntities: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
const escapeAttribute = (text: string): string => text.replace(/[&"<>]/g, (character) => attributeEntities[character] ?? '');

function readFiles(root: string, parts: PageParts): Map<string, File> {
  const files = new Map<string, File>();
  if (!existsSync(root)) return files;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const filePath = join(entry.parentPath, entry.name);
    const path = `/${relative(root, filePath).split(sep).join('/')}`;
    const type = mediaTypes[extname(path)];
    if (!entry.isFile() || !type || path.split('/').some((part) => part.startsWith('.'))) continue;
    const readBytes = (name: string) => new Uint8Array(readFileSync(name));
    const isChanged = type === mediaTypes['.html'] && Object.values(parts).some((part) => part !== null);
    const identity = isChanged ? insertParts(readBytes(filePath), parts) : readBytes(filePath);
    files.set(path, {
      type,
      caching: path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      tag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
      bodies: {
        identity,
        ...(isChanged
          ? { br: new Uint8Array(brotliCompressSync(identity)), gzip: new Uint8Array(gzipSync(identity)) }
          : {
              ...(existsSync(`${filePath}.br`) && { br: readBytes(`${filePath}.br`) }),
              ...(existsSync(`${filePath}.gz`) && { gzip: readBytes(`${filePath}.gz`) }),
            }),
      },
    });
  }
  return files;
}
