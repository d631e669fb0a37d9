import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { StartError } from '../platform/core/start-error.ts';
import { writeFileOnce } from '../platform/core/write-once.ts';

/** The manifest is written last: a folder without it is incomplete. */
export const backupParts = {
  manifest: 'manifest.json',
  dump: 'database.dump',
  /** Only with a separate statistics database. Its moment may be later. */
  statistics: 'statistics.dump',
  heads: 'audit-heads.jsonl',
  pictures: 'pictures',
} as const;

export const pictureFileName = (id: string): string => `${backupParts.pictures}/${id}.webp`;

const format = 1;
const nonNegativeInteger = z.int().nonnegative();
const backupFileName = z.string().regex(/^((?:database|statistics)\.dump|audit-heads\.jsonl|pictures\/[0-9a-f-]{36}\.webp)$/);

const migrationSchema = z.object({
  number: nonNegativeInteger,
  name: z.string(),
  hash: z.string(),
  version: z.string(),
  oldestVersion: z.string().nullable(),
});

const manifestSchema = z.object({
  format: z.literal(format),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  build: z.string().nullable(),
  time: z.iso.datetime(),
  database: z.string(),
  /** Major versions. */
  postgres: z.object({ server: nonNegativeInteger, dump: nonNegativeInteger }),
  migrations: z.array(migrationSchema),
  statistics: z
    .object({
      postgres: z.object({ server: nonNegativeInteger, dump: nonNegativeInteger }),
      migrations: z.array(migrationSchema),
      visits: z.string(),
    })
    .optional(),
  rows: z.object({ audit: nonNegativeInteger, authority: nonNegativeInteger, pictures: nonNegativeInteger }),
  heads: nonNegativeInteger,
  /** Ids without a stored picture. */
  missingPictures: z.array(z.string()),
  files: z.record(backupFileName, z.object({ bytes: nonNegativeInteger, sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const writeManifest = (folder: string, manifest: Omit<Manifest, 'format'>): void =>
  writeFileOnce(join(folder, backupParts.manifest), `${JSON.stringify({ format, ...manifest }, null, 2)}\n`);

/** Throws StartError. */
export async function readBackup(folder: string): Promise<Manifest> {
  if (!existsSync(join(folder, backupParts.manifest)))
    throw new StartError(
      existsSync(folder)
        ? `${folder} has no ${backupParts.manifest}, so it isn’t a complete backup. Choose another backup.`
        : `${folder} doesn’t exist. Check the path.`,
    );
  const manifest = parseManifest(await readFile(join(folder, backupParts.manifest), 'utf8'), folder);
  if (manifest.files[backupParts.dump] === undefined)
    throw new StartError(`The manifest of ${folder} doesn’t list ${backupParts.dump}. Choose another backup.`);
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
    if (!existsSync(join(folder, name))) throw new StartError(`${name} is missing in ${folder}. Choose another backup.`);
    const actualFile = await describeFile(join(folder, name));
    if (actualFile.bytes !== bytes || actualFile.sha256 !== sha256)
      throw new StartError(`${name} in ${folder} has changed since the backup. Choose another backup.`);
  }
  return manifest;
}

function parseManifest(text: string, folder: string): Manifest {
  try {
    const value: unknown = JSON.parse(text);
    if (
      typeof value === 'object' &&
      value !== null &&
      'format' in value &&
      typeof value.format === 'number' &&
      value.format > format
    )
      throw new StartError(`${folder} was written by a newer version. Restore with that version.`);
    return manifestSchema.parse(value);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${backupParts.manifest} in ${folder} can’t be read. Choose another backup.`);
  }
}

export async function describeFile(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}
