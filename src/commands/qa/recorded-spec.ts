import type { Recording, RecordedStep } from './recording.ts';

/** Ids created during the recording are read from the steps that made them. */
export function specText({ path, steps }: Recording): string {
  const rights = [...new Set(steps.flatMap(({ permission }) => (permission === 'anyone' ? [] : [permission])))];
  const body = linesOf(steps);
  const uses = (word: string) => body.some((line) => line.includes(`${word}(`));
  const imported = ['at', 'expect', 'given'].filter(uses);
  const commands = steps.filter(({ id }) => id !== 'qa.expect');
  const names = [...new Set(commands.map(({ id }) => id))].slice(0, 5).join(', ');
  const fixtures = commands.length < steps.length ? 'admin, page' : 'admin';
  return [
    `import { ${[...imported, 'test'].join(', ')} } from '@admin-panel/qa';`,
    '',
    ...(rights.length > 0 ? [`// The account needs these permissions: ${rights.join(', ')}.`] : []),
    `test(${quoted(`recorded: ${names || 'nothing'}`)}, async ({ ${fixtures} }) => {`,
    `  await admin.signIn(${quoted(path)});`,
    ...body.map((line) => `  ${line}`),
    '});',
    '',
  ].join('\n');
}

function linesOf(steps: readonly RecordedStep[]): string[] {
  const made = new Map<string, string>(); // id → the expression that reads it
  const seen = new Set<string>(); // ids that were there before
  const used = new Set<string>(); // names of steps that later steps read
  const expressionOf = (value: unknown): string => {
    const known = typeof value === 'string' ? made.get(value) : undefined;
    if (known === undefined) return typeof value === 'string' ? quoted(value) : plain(value, expressionOf);
    used.add(known.slice(3, known.indexOf(',')));
    return known;
  };
  const calls = steps.map((step, index) => {
    const name = `step${index + 1}`;
    const provided = step.id === 'qa.expect' ? expectationOf(step) : callOf(step, expressionOf);
    for (const id of step.targets) seen.add(id);
    for (const { path, id } of step.ids)
      if (!seen.has(id) && !made.has(id)) made.set(id, `at(${name}, ${path.map((part) => JSON.stringify(part)).join(', ')})`);
    return { name, given: provided, refused: step.refused };
  });
  return calls.map(({ name, given, refused }) => {
    if (refused !== null) return `await expect(${given}).rejects.toMatchObject({ code: ${quoted(refused)} });`;
    return used.has(name) ? `const ${name} = await ${given};` : `await ${given};`;
  });
}

function expectationOf({ params }: RecordedStep): string {
  const [, where, text = ''] = /^(row|text):(.*)$/s.exec(String(params['seen'])) ?? [];
  const sight =
    where === 'row' ? `page.getByRole('row').filter({ hasText: ${quoted(text)} })` : `page.getByText(${quoted(text)})`;
  return `expect(${sight}.first()).toBeVisible()`;
}

function callOf(
  { id, confirms, targets, params, unsaid, refused }: RecordedStep,
  expressionOf: (value: unknown) => string,
): string {
  const values = [
    ...Object.entries(params).map(([name, value]) => `${keyOf(name)}: ${expressionOf(value)}`),
    // Secrets, codes and files are given when the spec runs.
    ...unsaid.map((name) => `${keyOf(name)}: given(${quoted(`${id}_${name}`.replace(/\W|(?=[A-Z])/g, '_').toUpperCase())})`),
  ];
  const options = [
    ...(targets.length > 0 ? [`targets: ${expressionOf(targets)}`] : []),
    ...(values.length > 0 ? [`params: { ${values.join(', ')} }`] : []),
    ...(confirms && refused !== 'UNCONFIRMED' ? ['confirm: true'] : []),
  ];
  return `admin.run(${[quoted(id), ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : [])].join(', ')})`;
}

function plain(value: unknown, of: (value: unknown) => string): string {
  if (Array.isArray(value)) return `[${value.map(of).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, own]) => `${keyOf(name)}: ${of(own)}`)
    .join(', ')} }`;
}

const keyOf = (name: string): string => (/^[a-zA-Z_]\w*$/.test(name) && name !== '__proto__' ? name : `[${quoted(name)}]`);

/** Escaped, so that text can't end the quotation or the line. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
