import pg from 'pg';

/** Without partitions. */
export async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition order by 1`,
  );
  return rows.map(({ name }) => name);
}

interface Column {
  name: string;
  type: string;
  isRequired: boolean;
  /** Referenced `table.column`. */
  refers: string | null;
}

/** For columns with a check or closed list. */
const exampleValues: Readonly<Record<string, unknown>> = {
  'account_changes.what': 'email',
  'alarm_deliveries.state': 'sent',
  'imports.kind': 'points',
  'imports.state': 'done',
  'mails.state': 'sent',
  'money_freezes.kind': 'manual',
  'bridge_refunds.state': 'requested',
};

/** Always empty at rest. */
const transientTables = ['audit_inbox', 'visit_deltas'];

/** Without triggers and foreign keys. */
export async function fillEmptyTables(client: pg.Client): Promise<void> {
  for (const table of await tableNames(client)) {
    const { rowCount } = await client.query(`select from ${pg.escapeIdentifier(table)} limit 1`);
    if (rowCount || transientTables.includes(table)) continue;
    const columns = (await columnsOf(client, table)).filter(({ isRequired }) => isRequired);
    const values = await Promise.all(columns.map((column) => exampleOf(client, table, column)));
    await client.query(
      `insert into ${pg.escapeIdentifier(table)} (${columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')})
         values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      values,
    );
  }
}

async function columnsOf(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select a.attname as name, format_type(a.atttypid, null) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' and a.attgenerated = '' as "isRequired",
       (select r.relname || '.' || ra.attname from pg_constraint c join pg_class r on r.oid = c.confrelid
          join pg_attribute ra on ra.attrelid = r.oid and ra.attnum = c.confkey[1]
          where c.conrelid = a.attrelid and c.contype = 'f' and c.conkey = array[a.attnum] limit 1) as refers
     from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [pg.escapeIdentifier(table)],
  );
  return rows;
}

async function exampleOf(client: pg.Client, table: string, { name, type, refers }: Column): Promise<unknown> {
  const example = exampleValues[`${table}.${name}`];
  if (example !== undefined) return example;
  if (refers !== null) {
    const [referencedTable = '', column = ''] = refers.split('.').map((part) => pg.escapeIdentifier(part));
    const { rows } = await client.query<{ value: unknown }>(`select ${column} as value from ${referencedTable} limit 1`);
    if (rows[0]) return rows[0].value;
  }
  switch (type) {
    case 'uuid':
      return '0190a0a0-0000-7000-8000-000000000001';
    case 'timestamp with time zone':
      return '2026-11-28T00:00:00.000Z';
    case 'date':
      return '2026-11-28';
    case 'boolean':
      return true;
    case 'integer':
    case 'bigint':
    case 'smallint':
    case 'numeric':
      return 1;
    case 'bytea':
      return Buffer.from('kept');
    case 'jsonb':
    case 'json':
      return '{}';
    default:
      return type.endsWith('[]') ? [] : 'kept';
  }
}
