#!/usr/bin/env node
// Entry point of a release, for plain Node without installation.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';

const programs = {
  server: ['main.js', 'starts the panel server, which migrates its database first'],
  signer: ['signer.js', 'the process that holds the minter key. --grants ROLE prints the SQL grants for its database role'],
  'admin:create': ['admin-create.js', 'creates an administrator with all permissions, and the tables of an empty database'],
  migrate: ['migrate.js', 'migrates the database without starting. --status lists the migrations, --grants ROLE prints SQL'],
  'secret-key:rotate': [
    'secret-key-rotate.js',
    'encrypts the authenticator secrets again, with SECRET_KEY instead of SECRET_KEY_ACCEPTED',
  ],
  doctor: ['doctor.js', 'checks everything that a start needs, and says what to do'],
  backup: ['backup.js', 'copies database, audit heads and pictures of one moment into a folder'],
  restore: ['restore.js', 'restores a backup into an empty database'],
  'audit:verify': ['audit-verify.js', 'checks the audit'],
  'authority:init': ['authority-init.js', 'creates the first line of the authority log'],
  'authority:verify': ['authority-verify-own.js', 'checks the authority log'],
  'pictures:move': ['pictures-move.js', 'copies pictures to the object storage (--to s3) or back (--to disk)'],
  statistics: ['statistics-database.js', 'move: copies visits to STATISTICS_DATABASE_URL. remove-old: removes the old rows'],
  command: ['command.js', 'runs a panel command'],
};

const [name = 'server'] = process.argv.splice(2, 1);
if (name === 'healthcheck') {
  healthcheck();
} else if (name === '--version') {
  const { version, build, commit } = JSON.parse(readFileSync(new URL('manifest.json', import.meta.url), 'utf8'));
  console.log(`admin-panel ${version} (build ${build}, commit ${commit ?? 'unknown'})`);
} else if (Object.hasOwn(programs, name)) {
  process.setSourceMapsEnabled(true);
  await import(`./.cache/server/${programs[name][0]}`);
} else {
  const allPrograms = {
    ...Object.fromEntries(Object.entries(programs).map(([program, [, description]]) => [program, description])),
    healthcheck: 'exits with 0 if /readyz is ready',
  };
  console.error(
    [
      'node panel.mjs [part] …',
      ...Object.entries(allPrograms).map(([program, description]) => `  ${program.padEnd(18)}${description}`),
    ].join('\n'),
  );
  process.exitCode = name === '--help' ? 0 : 2;
}

function healthcheck() {
  const { HOST = '127.0.0.1', PORT = '4280' } = process.env;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[HOST] ?? HOST;
  request({ host, port: PORT || 4280, path: '/readyz', timeout: 3_000, agent: false })
    .on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
    .on('timeout', () => process.exit(1))
    .on('error', () => process.exit(1))
    .end();
}
